/**
 * Issues and checks WebAuthn challenges. A challenge contains its own data, encrypted, so the backend stores only used
 * challenges, and only until they expire.
 */

import { createHash } from 'node:crypto';
import { Query } from 'node-appwrite';
import { DomainError } from '#blog/errors.ts';
import { CHALLENGE_MS } from '#blog/passkeys.ts';
import { keyedBackend } from '../keyed-backend.ts';
import { derivedKey, seal, unseal } from '../seal.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

/** `use` covers signing in, requesting a second-factor code, and proving one's identity. */
export type Purpose = 'use' | 'sign-up' | 'add';

export interface Challenge {
  readonly text: string;
  /** Id of the user who will own the new passkey; empty for `use`. */
  readonly userId: string;
  /** Unix time in milliseconds. */
  readonly expires: number;
}

/** Maximum number of expired challenges deleted whenever a challenge is used. */
const DELETED_AT_ONCE = 10;

export function openChallenges(target: ServerTarget, now: () => number = Date.now) {
  const key = derivedKey(target.apiKey, 'passkeys');
  const { databases, usedChallenges: place } = keyedBackend(target);

  return {
    /** Returns the bytes of a new challenge. @param userId the user who will own the new passkey, if any */
    issue(purpose: Purpose, userId = ''): Uint8Array<ArrayBuffer> {
      const sealed = seal(key, JSON.stringify({ userId, expires: now() + CHALLENGE_MS }), purpose);
      return Uint8Array.from(Buffer.from(sealed, 'base64url'));
    },

    /**
     * Returns a challenge; undefined if it is forged or was issued for another purpose.
     * @throws DomainError `passkey-expired`
     */
    open(text: string, purpose: Purpose): Challenge | undefined {
      const opened = unseal(key, text, purpose);
      if (opened === undefined) return undefined;
      const challenge: Challenge = { text, ...JSON.parse(opened) };
      if (challenge.expires <= now()) throw new DomainError('passkey-expired');
      return challenge;
    },

    /** Marks a challenge as used. @throws DomainError `passkey-expired` if it was used before */
    async use({ text, expires }: Challenge): Promise<void> {
      const documentId = createHash('sha256').update(text).digest('hex').slice(0, 36);
      const data = { expiresAt: new Date(expires).toISOString() };
      const isNew = await unless(409, databases.createDocument({ ...place, documentId, data, permissions: [] }));
      if (!isNew) throw new DomainError('passkey-expired');
      const isExpired = Query.lessThan('expiresAt', new Date(now()).toISOString());
      await databases.deleteDocuments({ ...place, queries: [isExpired, Query.limit(DELETED_AT_ONCE)] });
    },
  };
}
