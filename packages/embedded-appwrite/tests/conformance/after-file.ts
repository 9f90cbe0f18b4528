/** Vitest runs this setup file per test file but loads imported modules only once, so `afterAll` is called here. */
import { afterAll } from 'vitest';
import { removeAll } from './cleanup.ts';

afterAll(removeAll);
