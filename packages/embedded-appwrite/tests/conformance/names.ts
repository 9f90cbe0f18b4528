import { randomBytes } from 'node:crypto';

const run = randomBytes(4).toString('hex');
let count = 0;

/** Returns a new id of at most 36 characters, unique across runs, e.g. `doc-1f0c22ab-7`. */
export const fresh = (what: string): string => `${what}-${run}-${++count}`;
export const freshEmail = (): string => `${fresh('user')}@example.com`;
