/** Encrypts secrets with AES-256-GCM, laid out as nonce, tag, text. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * @param key 32 bytes
 * @param about authenticated but not stored, such as the row's id
 */
export function seal(text: string, key: Buffer, about: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Returns `undefined` for a text that another key sealed, or that was changed. */
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
