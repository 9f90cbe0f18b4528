/** Keys for one purpose each, out of the server's own key, which is not in the database. */
import { hkdfSync, randomBytes } from 'node:crypto';
import type { EmbeddedOptions } from './kernel.ts';

const BYTES = 32;

/**
 * 32 bytes that only who has the server's first key can work out (RFC 5869). Another server key gives others: what they
 * locked is then lost. A backend without any key gets bytes that live as long as the process.
 */
export function derivedKey({ keys }: Pick<EmbeddedOptions, 'keys'>, purpose: string): Buffer {
  const secret = keys[0]?.secret ?? randomBytes(BYTES);
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, BYTES));
}
