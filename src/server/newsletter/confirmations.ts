/** Sends emails that ask readers to confirm a subscription, with limits per mailbox and in total. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@common-ink/http/log.ts';
import type { Outcome } from 'embedded-appwrite';
import { Attempts } from '#api/attempts.ts';
import type { Asked } from '#backend/newsletter/links.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const OF_ASKER = 3;
const ALTOGETHER = 300;
/** Seconds before each retry. If the last retry fails, the email is dropped, and the reader has to ask again. */
const PAUSES = [30, 120, 600, 1800];

export interface ConfirmationOptions {
  readonly send: (address: string, link: string, signal: AbortSignal) => Promise<Outcome>;
  readonly log: Log;
  readonly now?: () => number;
}

/** Returns the address in lower case and without a `+` suffix, because all these variants reach the same mailbox. */
const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '');

export function openConfirmations({ send, log, now }: ConfirmationOptions) {
  const ofAsker = new Attempts(OF_ASKER, DAY, now);
  const altogether = new Attempts(ALTOGETHER, HOUR, now);
  const ending = new AbortController();
  const running = new Set<Promise<void>>();

  async function deliver(address: string, link: string): Promise<void> {
    for (const pause of [...PAUSES, 0]) {
      const outcome = await send(address, link, ending.signal);
      if (outcome.state === 'sent' || ending.signal.aborted) return;
      if (outcome.state === 'refused' || pause === 0) {
        log('warn', `Gave up sending a subscription confirmation: ${outcome.reason}`);
        return;
      }
      await sleep(pause * 1000, undefined, { signal: ending.signal, ref: false });
    }
  }

  return {
    /**
     * Sends an email without waiting for the result. Returns false, without sending, if a limit is reached: for this
     * mailbox, for address changes by this subscriber, or in total.
     */
    mail({ address, from }: Pick<Asked, 'address' | 'from'>, link: string): boolean {
      const askers = [mailboxOf(address), ...(from ? [from] : [])];
      if (askers.some((asker) => ofAsker.wait(asker) > 0) || altogether.wait('') > 0) return false;
      for (const asker of askers) ofAsker.spend(asker);
      altogether.spend('');
      const work = deliver(address, link).catch((error: unknown) => {
        if (!ending.signal.aborted) log('error', 'A subscription confirmation could not be sent.', error);
      });
      running.add(work);
      void work.then(() => running.delete(work));
      return true;
    },
    async close(): Promise<void> {
      ending.abort();
      await Promise.all(running);
    },
  };
}
