/** Vitest runs this setup file for each test file; it loads the other modules only once. */
import { afterAll } from 'vitest';
import { removeAll } from './cleanup.ts';

afterAll(removeAll);
