import { randomBytes } from 'node:crypto';

const run = randomBytes(4).toString('hex');
let count = 0;

/** Returns a new id of at most 36 characters, unique across runs, e.g. `doc-1f0c22ab-7`. */
export function fresh(what: string): string {
  count += 1;
  return `${what}-${run}-${count}`;
}

/** Returns a new lower-case e-mail address. */
export const freshEmail = (): string => `${fresh('user')}@example.com`;
