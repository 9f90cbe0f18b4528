/** Keys for one purpose each, derived from the server's own key, which is not in the database. */
import { hkdfSync, randomBytes } from 'node:crypto';
import type { EmbeddedOptions } from './kernel.ts';

const BYTES = 32;

/**
 * Returns 32 bytes derived from the server's first key (RFC 5869). Another server key gives others, and what they
 * sealed is lost. Without a key they are random and last as long as the process.
 */
export function derivedKey({ keys }: Pick<EmbeddedOptions, 'keys'>, purpose: string): Buffer {
  const secret = keys[0]?.secret ?? randomBytes(BYTES);
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, BYTES));
}
