/** Sends emails from the outbox. If a crash interrupts sending, the email is sent again with the same Message-ID. */
import type { Store } from '../sqlite/store.ts';
import { type Mail, renderMail } from './mail.ts';
import { createOutboxRecords, type WaitingMail } from './outbox-records.ts';
import { createTransport, type MailOptions, type Outcome } from './transport.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Maximum parallel deliveries. More than one, so that a slow delivery does not hold up the other emails. */
const AT_A_TIME = 4;
/** Pause after an email's first failure; each later failure doubles it, up to `LONGEST_PAUSE`. */
const FIRST_PAUSE = 15 * SECOND;
const LONGEST_PAUSE = 15 * MINUTE;
/** Maximum pause between attempts while the SMTP server is failing. Each attempt then tries only one email. */
const SERVER_PAUSE = MINUTE;
const PATIENCE = 26 * HOUR;
const GRACE = 3 * SECOND;

/** Email counts since the process started. */
export interface MailCounts {
  readonly sent: number;
  readonly postponed: number;
  readonly givenUp: number;
}

export type Mailer = ReturnType<typeof createMailer>;

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  after(milliseconds: number, run: () => void): () => void;
}

const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

interface MailerParts {
  readonly store: Store;
  readonly options: MailOptions;
  readonly project: () => string;
  /** The 32-byte key that encrypts queued email. */
  readonly key: Buffer;
  readonly log?: ((level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void) | undefined;
  readonly clock?: Clock;
}

export function createMailer({ store, options, project, key, log, clock = SYSTEM_CLOCK }: MailerParts) {
  const records = createOutboxRecords(store, key);
  const transport = createTransport(options);
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();
  let cancelTimer = (): void => {};
  /** No delivery starts before this time, in milliseconds since 1970; 0 while the SMTP server works. */
  let pausedUntil = 0;
  let closed = false;
  const counts = { sent: 0, postponed: 0, givenUp: 0 };

  function pauseAfter(attempts: number): number {
    return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempts, 10));
  }

  async function settle({ id, kind, createdAt, attempts }: WaitingMail, outcome: Outcome): Promise<void> {
    if (closed && outcome.state !== 'sent') return;
    if (outcome.state === 'failed') {
      const now = clock.now();
      pausedUntil = outcome.affects === 'server' ? now + Math.min(SERVER_PAUSE, pauseAfter(attempts)) : 0;
      if (now - createdAt < PATIENCE) {
        counts.postponed++;
        if (attempts === 0)
          log?.('warn', `A mail (${kind}) could not be sent; the server will try again: ${outcome.reason}`);
        await store.write(() => records.postpone(id, now + pauseAfter(attempts)));
        return;
      }
    }
    counts[outcome.state === 'sent' ? 'sent' : 'givenUp']++;
    if (outcome.state === 'sent') pausedUntil = 0;
    else log?.('warn', `Gave up sending a mail (${kind}): ${outcome.reason}`);
    await store.writeThoughFull(() => records.remove(id));
  }

  async function deliver(waiting: WaitingMail): Promise<void> {
    const mail = records.open(waiting);
    const outcome: Outcome = mail
      ? await transport.send(waiting.id, mail.to, renderMail(mail, project()), ending.signal)
      : { state: 'refused', reason: 'it was encrypted with a different server key' };
    await settle(waiting, outcome);
  }

  function start(waiting: WaitingMail): void {
    const { id } = waiting;
    const work = deliver(waiting)
      .catch((error) => {
        if (closed) return;
        // The email is still due, so without a pause it would be sent again immediately.
        pausedUntil = clock.now() + SERVER_PAUSE;
        log?.('error', 'Could not record whether a mail was sent.', error);
      })
      .finally(() => {
        running.delete(id);
        pump();
      });
    running.set(id, work);
  }

  function pump(): void {
    cancelTimer();
    if (closed) return;
    const now = clock.now();
    const waiting = records.first(AT_A_TIME + 1).filter(({ id }) => !running.has(id));
    for (const next of waiting) {
      const at = Math.max(next.dueAt, pausedUntil);
      if (at > now) {
        // Wakes up before `at` if that is far away: `setTimeout` cannot wait for more than 24 days.
        cancelTimer = clock.after(Math.min(at - now, LONGEST_PAUSE), pump);
        return;
      }
      if (running.size >= AT_A_TIME) return;
      start(next);
      // Sends emails one at a time after a failure, until the server works again.
      if (pausedUntil > 0 && running.size > 0) return;
    }
  }

  // Sends emails left over from an earlier run, once the synchronous part of the start-up is done.
  cancelTimer = clock.after(0, pump);
  return {
    /** Runs `work` in a write, then sends its emails. Rejects with 503 `general_server_busy` if the outbox is full. */
    async write<T>(work: (enqueue: (mail: Mail) => void) => T): Promise<T> {
      const now = clock.now();
      const result = await store.write(() => work((mail) => records.insert(mail, now)));
      setImmediate(pump);
      return result;
    },
    counts: (): MailCounts => ({ ...counts }),
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values());
    },
    /**
     * Waits up to three seconds for deliveries in progress; other emails stay in the outbox until the next start. Call
     * before closing the database.
     */
    async close(): Promise<void> {
      closed = true;
      cancelTimer();
      const impatience = setTimeout(() => ending.abort(), GRACE);
      await Promise.all(running.values());
      clearTimeout(impatience);
    },
  };
}
