/** Vitest runs this setup file for each test file; the other modules are loaded once for all of them. */
import { afterAll } from 'vitest';
import { removeAll } from './cleanup.ts';

afterAll(removeAll);
