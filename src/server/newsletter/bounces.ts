/** Reads the newsletter's bounces from a Maildir. Counts each permanent failure as a hard failure of the subscriber. */
import { createReadStream } from 'node:fs';
import { readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@common-ink/http/log.ts';
import type { ReturnPaths } from '#backend/newsletter/return-paths.ts';
import type { StoredSubscriber, SubscriberStore } from '#backend/newsletter/subscribers.ts';
import { faultOf } from '#blog/errors.ts';
import { every, type RepeatedJob } from '../jobs/every.ts';

const MINUTE_MS = 60_000;
const MOST_FILES = 300;
const MOST_BYTES = 1_048_576;
const MOST_FAILURES = 3;

type Counted = Pick<StoredSubscriber, 'failures' | 'state'>;

/** Returns a subscriber's failures and state after one more hard failure. The third in a row makes them `resting`. */
export const afterHardFailure = ({ failures, state }: Counted): Counted => ({
  failures: failures + 1,
  state: failures + 1 >= MOST_FAILURES ? 'resting' : state,
});

export interface BounceOptions {
  /** Path of the Maildir. */
  readonly directory: string;
  readonly returnPaths: ReturnPaths;
  readonly subscribers: SubscriberStore;
  readonly log: Log;
}

/** Reads the Maildir immediately, then every minute. Deletes the site's bounces and moves other emails to `cur`. */
export function startBounces({ directory, returnPaths, subscribers, log }: BounceOptions): RepeatedJob {
  /** Keys of emails already read and kept. An email in `cur` may be unread: mail clients may move new bounces there. */
  let known = new Set<string>();
  let reported = '';
  let bounced = 0;

  async function run(): Promise<number> {
    bounced = 0;
    try {
      await readAll();
      reported = '';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const fault = typeof code === 'string' ? code : faultOf(error).message;
      if (fault !== reported) log('warn', `Bounces in MAIL_BOUNCES cannot be read or removed: ${fault}`);
      reported = fault;
    }
    if (bounced > 0) log('info', `Newsletter mails that bounced: ${bounced}.`);
    return MINUTE_MS;
  }

  async function readAll(): Promise<void> {
    const found = [...(await filesIn('new')), ...(await filesIn('cur'))];
    known = new Set(found.map(({ key }) => key).filter((key) => known.has(key)));
    for (const file of found.filter(({ key }) => !known.has(key)).slice(0, MOST_FILES)) {
      if (job.isStopped) return;
      try {
        await handle(file);
      } catch (error) {
        // Ignores a file that a mail client has moved or deleted in the meantime.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  /** Returns the emails in a folder. `key` is the name without flags, which stays the same when an email is moved. */
  async function filesIn(folder: 'new' | 'cur') {
    const entries = await readdir(join(directory, folder), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ folder, path: join(directory, folder, name), key: name.split(':', 1)[0] ?? name }));
  }

  async function handle({ folder, path, key }: Awaited<ReturnType<typeof filesIn>>[number]): Promise<void> {
    const status = readDeliveryStatus(await beginningOf(path));
    const recipient = status?.recipients.map(returnPaths.recipientOf).find((each) => each !== undefined);
    const subscriber = recipient && status?.isHardFailure ? await subscribers.find(recipient.id) : undefined;
    // If the stored count is higher than the return path's, this bounce has already been counted.
    if (recipient && subscriber?.state === 'active' && subscriber.failures <= recipient.failures) {
      const { state } = subscriber;
      await subscribers.settle(subscriber.id, afterHardFailure({ state, failures: recipient.failures }));
      bounced++;
    }
    known.add(key);
    if (recipient) await unlink(path);
    else if (folder === 'new') await rename(path, join(directory, 'cur', `${key}:2,`));
  }

  const job = every(0, run);
  return job;
}

/** Returns the first megabyte of a file, which is enough: a bounce's status comes before the returned email. */
const beginningOf = async (path: string): Promise<string> =>
  (await createReadStream(path, { end: MOST_BYTES - 1, encoding: 'latin1' }).toArray()).join('');

const STATUS_TYPE = /^message\/(?:global-)?delivery-status\b/i;

/**
 * Reads a delivery status notification (RFC 3464). Returns the addresses to which it was sent, and whether a delivery
 * failed permanently (`Action: failed` with a status of class 5). Returns undefined for any other email. `mail` may be
 * truncated.
 */
function readDeliveryStatus(mail: string) {
  const text = mail.replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const [type = ''] = valuesOf(head, 'content-type');
  const boundary = /\bboundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  if (!boundary || !/^multipart\/report\b/i.test(type) || !/\breport-type\s*=\s*"?delivery-status\b/i.test(type)) {
    return undefined;
  }
  const status = text
    .slice(end)
    .split(`\n--${boundary[1] ?? boundary[2]}`)
    .map((part) => part.slice(part.indexOf('\n') + 1).split(/\n\n+/))
    .find(([partHead = '']) => STATUS_TYPE.test(valuesOf(partHead, 'content-type')[0] ?? ''));
  if (!status) return undefined;
  return {
    recipients: valuesOf(head, 'delivered-to', 'x-original-to', 'envelope-to', 'to')
      .flatMap((value) => value.split(/[\s<>,;:"()]+/))
      .filter((word) => word.includes('@')),
    isHardFailure: status.slice(1).some(isHardFailure),
  };
}

const isHardFailure = (fields: string): boolean =>
  /^failed\b/i.test(valuesOf(fields, 'action')[0] ?? '') && /^5\.\d/.test(valuesOf(fields, 'status')[0] ?? '');

/** Returns the values of the header fields with these lower-case names, unfolded. */
function valuesOf(fields: string, ...names: string[]): string[] {
  return fields
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)/.exec(line) ?? [];
      return names.includes(name.toLowerCase()) ? [value.trim()] : [];
    });
}
