/** Vitest runs this setup file for each test file, but loads the modules that it imports only once. */
import { afterAll } from 'vitest';
import { removeAll } from './cleanup.ts';

afterAll(removeAll);
