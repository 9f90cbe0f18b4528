/**
 * Encrypts one-time links. A link contains the backend's secret and the conditions under which the server reveals it. A
 * plain secret would still work after the link's maker had lost the right to invite.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SiteRole } from '#blog/people.ts';

export interface LinkTerms {
  readonly secret: string;
  /** Marks the user's newest link: a link is void once its user has another label. */
  readonly label: string;
  readonly maker: string | null;
  readonly role: SiteRole | null;
  /** Time of the user's last password change, in the backend's format. */
  readonly passwordUpdate: string;
}

/** Format of the label. Only a server key can change a user's labels. */
const LABEL = /^link[0-9a-f]{24}$/;

export const newLabel = (): string => `link${randomBytes(12).toString('hex')}`;

export const withoutLink = (labels: readonly string[]): string[] => labels.filter((label) => !LABEL.test(label));

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (apiKey: string): Buffer => Buffer.from(hkdfSync('sha256', apiKey, '', 'one-time links', 32));

/** Encrypts a user's terms as a URL-safe string, with a key derived from the server key. */
export function sealLink(apiKey: string, userId: string, terms: LinkTerms): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(apiKey), nonce).setAAD(Buffer.from(userId));
  const body = Buffer.concat([cipher.update(JSON.stringify(terms), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Returns the terms; undefined for a string that this site did not seal for that user. */
export function unsealLink(apiKey: string, userId: string, sealed: string): LinkTerms | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(apiKey), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(userId)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return JSON.parse(text) as LinkTerms;
  } catch {
    return undefined;
  }
}
