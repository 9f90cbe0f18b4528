/** Encrypts short strings with keys derived from the server key, one for each purpose (AES-256-GCM, HKDF-SHA256). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const derivedKey = (apiKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', apiKey, '', purpose, 32));

/** Returns the encrypted text in base64url. Decryption requires the same key and `context`. */
export function seal(key: Buffer, text: string, context = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Returns the decrypted text; undefined if it was changed, or encrypted with another key or context. */
export function unseal(key: Buffer, sealed: string, context = ''): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
