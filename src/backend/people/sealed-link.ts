/**
 * Encrypts one-time links. A link contains the backend's secret and the conditions under which the server reveals it. A
 * plain secret would still work after the link's maker had lost the right to invite.
 */

import { randomBytes } from 'node:crypto';
import type { SiteRole } from '#blog/people.ts';
import { derivedKey, seal, unseal } from '../seal.ts';

export interface LinkTerms {
  readonly secret: string;
  /** Also stored as a label of the user, replacing the label of the previous link, which thereby becomes invalid. */
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

const keyOf = (apiKey: string): Buffer => derivedKey(apiKey, 'one-time links');

/** Encrypts the terms of a user's link as a URL-safe string, with a key derived from the server key. */
export const sealLink = (apiKey: string, userId: string, terms: LinkTerms): string =>
  seal(keyOf(apiKey), JSON.stringify(terms), userId);

/** Returns the terms; undefined for a string that this site did not encrypt for this user. */
export function unsealLink(apiKey: string, userId: string, sealed: string): LinkTerms | undefined {
  const text = unseal(keyOf(apiKey), sealed, userId);
  return text === undefined ? undefined : (JSON.parse(text) as LinkTerms);
}
