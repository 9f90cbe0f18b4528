/**
 * Stores the keys of authenticator apps, encrypted. Appwrite does not accept passkeys as a second factor, so after a
 * passkey sign-in, the server provides the code that the app would show.
 */

import { createHmac } from 'node:crypto';
import { keyedBackend } from '../keyed-backend.ts';
import { derivedKey, seal, unseal } from '../seal.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** Every method rejects with the SDK's error if the backend fails. */
export function openAuthenticatorKeys(target: ServerTarget, now: () => number = Date.now) {
  const sealing = derivedKey(target.apiKey, 'authenticator keys');
  const { databases, authenticatorKeys: place } = keyedBackend(target);

  async function find(userId: string): Promise<string | undefined> {
    const found = databases.getDocument({ ...place, documentId: userId });
    const row = await unless(/^(?:document|collection)_not_found$/, found);
    return row && unseal(sealing, `${row.key}`, userId);
  }

  return {
    has: async (userId: string): Promise<boolean> => (await find(userId)) !== undefined,

    /** Returns the current, the next and the previous code, because clocks differ; none if the user has no key. */
    async codes(userId: string): Promise<readonly string[]> {
      const key = await find(userId);
      if (key === undefined) return [];
      const step = Math.floor(now() / STEP_MS);
      return [step, step + 1, step - 1].map((each) => codeAt(key, each));
    },

    /** @param key base32 */
    async keep(userId: string, key: string): Promise<void> {
      const data = { key: seal(sealing, key, userId) };
      await databases.upsertDocument({ ...place, documentId: userId, data, permissions: [] });
    },
  };
}

/** Returns a time-based one-time password (RFC 6238) with SHA-1 and six digits. */
function codeAt(key: string, step: number): string {
  const bits = Array.from(key.replace(/=+$/, ''), (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return `${number % 1_000_000}`.padStart(6, '0');
}
