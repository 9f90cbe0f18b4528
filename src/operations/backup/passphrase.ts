/** Encrypts the server key in a backup with the operator's passphrase (scrypt, AES-256-GCM). */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '#blog/errors.ts';

/** With this cost, each guess of the passphrase takes half a second and 128 MiB on a small machine. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

const hex = z.string().regex(/^[0-9a-f]*$/);
const schema = z.object({ salt: hex, nonce: hex, tag: hex, text: hex });

const keyOf = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase.normalize('NFC'), salt, 32, COST);

export function encrypt(plain: Buffer, passphrase: string): Buffer {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce);
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  const parts = { salt, nonce, tag: cipher.getAuthTag(), text };
  return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, v.toString('hex')]))));
}

/** @throws OperatorError for a missing or wrong passphrase */
export function decrypt(encrypted: Buffer, passphrase: string | undefined): Buffer {
  if (!passphrase) throw new OperatorError('The server key in this backup is encrypted: set BACKUP_PASSPHRASE.');
  try {
    const { salt, nonce, tag, text } = schema.parse(JSON.parse(encrypted.toString()));
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(passphrase, Buffer.from(salt, 'hex')),
      Buffer.from(nonce, 'hex'),
    );
    decipher.setAuthTag(Buffer.from(tag, 'hex'));
    return Buffer.concat([decipher.update(Buffer.from(text, 'hex')), decipher.final()]);
  } catch (error) {
    throw new OperatorError('BACKUP_PASSPHRASE is not the passphrase of this backup.', { cause: error });
  }
}
