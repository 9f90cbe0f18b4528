/** Creates secrets for sessions and tokens; the database stores only their digests. */
import { hash, randomBytes, randomInt } from 'node:crypto';

/** Maximum length of a session value in characters. Genuine ones are shorter than 450. */
const LONGEST_VALUE = 1024;

/** Hex digits in a secret for a session, recovery, verification or invitation; sign-in links use `MAGIC_SECRET`. */
export const LONG_SECRET = 256;
export const MAGIC_SECRET = 64;

/** Returns `length` random hex digits. */
export function tokenSecret(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
}

export function mailCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

/** Returns the session value used in cookies, headers and `setSession`: base64 of `{"id":…,"secret":…}`. */
export function encodeSession(userId: string, secret: string): string {
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64');
}

export function decodeSession(value: string): { id: string; secret: string } | undefined {
  if (value.length > LONGEST_VALUE) return undefined;
  try {
    const decoded: unknown = JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
    const { id, secret } = decoded as Record<string, unknown>;
    return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
  } catch {
    return undefined;
  }
}
