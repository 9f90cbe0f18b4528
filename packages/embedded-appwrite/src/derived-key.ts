import { hkdfSync, randomBytes } from 'node:crypto';
import type { EmbeddedOptions } from './kernel.ts';

const BYTES = 32;

/**
 * Returns 32 bytes for one purpose, derived from the first server key (RFC 5869), which is not in the database. Data
 * sealed under another key is lost. Without a server key the bytes are random and last as long as the process.
 */
export function derivedKey({ keys }: Pick<EmbeddedOptions, 'keys'>, purpose: string): Buffer {
  const secret = keys[0]?.secret ?? randomBytes(BYTES);
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, BYTES));
}
