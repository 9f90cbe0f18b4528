/** Encrypts secrets with AES-256-GCM. The result is the nonce, the tag and the ciphertext. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Returns a 32-byte key for one purpose, derived (RFC 5869) from the first server key. That key is not in the database;
 * if it is replaced, data encrypted with the old one is lost. Without a server key, the result is random and different
 * in each process.
 */
export function derivedKey({ keys }: { keys: readonly { secret: string }[] }, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', keys[0]?.secret ?? randomBytes(KEY_BYTES), '', purpose, KEY_BYTES));
}

/** Encrypts `text` with a 32-byte key. `about`, such as the row's id, is authenticated but not stored. */
export function seal(text: string, key: Buffer, about: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Decrypts the result of `seal`. Returns `undefined` if it was altered, or if `key` or `about` differs. */
export function unseal(sealed: Uint8Array, key: Buffer, about: string): string | undefined {
  try {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
