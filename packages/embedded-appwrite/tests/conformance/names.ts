/** Ids that no other run on the same server has. */
import { randomBytes } from 'node:crypto';

const run = randomBytes(4).toString('hex');
let count = 0;

/** A new id of at most 36 characters, e.g. `doc-1f0c22ab-7`. */
export function fresh(what: string): string {
  count += 1;
  return `${what}-${run}-${count}`;
}

/** A new e-mail address in lower case. */
export function freshEmail(): string {
  return `${fresh('user')}@example.com`;
}
