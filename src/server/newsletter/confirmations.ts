/** Mails that ask for the confirmation of a subscription: few for one address, and few altogether. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@common-ink/http/log.ts';
import type { Outcome } from 'embedded-appwrite';
import { Attempts } from '#api/attempts.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const OF_ADDRESS = 3;
const ALTOGETHER = 300;
/** Pauses in seconds before a mail is tried again; a subscriber asks once more after the last. */
const PAUSES = [30, 120, 600, 1800];

export interface ConfirmationOptions {
  readonly send: (address: string, link: string, signal: AbortSignal) => Promise<Outcome>;
  readonly log: Log;
  readonly now?: () => number;
}

export type Confirmations = ReturnType<typeof openConfirmations>;

export function openConfirmations({ send, log, now }: ConfirmationOptions) {
  const ofAddress = new Attempts(OF_ADDRESS, DAY, now);
  const altogether = new Attempts(ALTOGETHER, HOUR, now);
  const ending = new AbortController();
  const running = new Set<Promise<void>>();

  async function deliver(address: string, link: string): Promise<void> {
    for (const pause of [...PAUSES, 0]) {
      const outcome = await send(address, link, ending.signal);
      if (outcome.state === 'sent' || ending.signal.aborted) return;
      if (outcome.state === 'refused' || pause === 0) {
        log('warn', `A confirmation of a subscription was given up: ${outcome.reason}`);
        return;
      }
      await sleep(pause * 1000, undefined, { signal: ending.signal, ref: false });
    }
  }

  return {
    /** Sends a mail unless its address, whose id is `id`, or all of them had too many. Does not wait for the mail. */
    mail(id: string, address: string, link: string): void {
      if (ofAddress.wait(id) > 0 || altogether.wait('') > 0) return;
      ofAddress.spend(id);
      altogether.spend('');
      const work = deliver(address, link).catch((error: unknown) => {
        if (!ending.signal.aborted) log('error', 'A confirmation of a subscription could not be sent.', error);
      });
      running.add(work);
      void work.then(() => running.delete(work));
    },
    async close(): Promise<void> {
      ending.abort();
      await Promise.all(running);
    },
  };
}
