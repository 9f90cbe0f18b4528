/** Mails with a link to a new password, by server key: the key's calls are not counted, our own server's are. */

import { randomUUID } from 'node:crypto';
import { Account } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { cannotMail } from '#blog/mail-fault.ts';
import { type ServerTarget, serverClient } from '../target.ts';

/** Milliseconds that what was found out about mail is believed. */
const KNOWN_MS = 5 * 60_000;

export interface Recovery {
  /** Whether the backend sends mail. It is asked about an address that nobody has. */
  sendsMail(): Promise<boolean>;
  /** Sends the mail where there is such an account; resolves in any case. */
  send(email: string): Promise<void>;
}

/** `url`: the page that the links lead to. */
export function createRecovery(target: ServerTarget, url: string): Recovery {
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
    sendsMail() {
      if (!known || known.until < Date.now()) {
        const asked = { sends: find(), until: Date.now() + KNOWN_MS };
        known = asked;
        // A failure is not remembered.
        asked.sends.catch(() => {
          if (known === asked) known = undefined;
        });
      }
      return known.sends;
    },
    async send(email) {
      // Whether there is such an account, nobody is told: not the log either.
      await account.createRecovery({ email, url }).catch(() => undefined);
    },
  };
}
