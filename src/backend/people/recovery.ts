/** Uses the server key to email password-recovery links. This server limits their number; the backend does not. */

import { randomUUID } from 'node:crypto';
import { Account } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { cannotMail } from '#blog/mail-fault.ts';
import { type ServerTarget, serverClient } from '../target.ts';

const KNOWN_MS = 5 * 60_000;

/** @param url the page that the links lead to */
export function createRecovery(target: ServerTarget, url: string) {
  const account = new Account(serverClient(target));
  let known: { readonly sends: Promise<boolean>; readonly until: number } | undefined;
  const find = async (): Promise<boolean> => {
    try {
      await account.createRecovery({ email: `nobody-${randomUUID()}@example.invalid`, url });
      return true;
    } catch (error) {
      if (cannotMail(error)) return false;
      if (faultOf(error).code === 404) return true;
      throw error;
    }
  };
  return {
    /** Returns true if the backend sends mail. Probes with an address that has no account. */
    sendsMail(): Promise<boolean> {
      if (!known || known.until < Date.now()) {
        const asked = { sends: find(), until: Date.now() + KNOWN_MS };
        known = asked;
        asked.sends.catch(() => {
          if (known === asked) known = undefined;
        });
      }
      return known.sends;
    },
    /** Emails a link if the account exists. Always resolves. */
    async send(email: string): Promise<void> {
      // The result would reveal whether the account exists, so it is neither returned nor logged.
      await account.createRecovery({ email, url }).catch(() => undefined);
    },
  };
}
