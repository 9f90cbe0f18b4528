/**
 * Sends the newsletter's issues, one email after another (docs/decisions/030-newsletter.md). Stores the progress after
 * each email, so that if the process is killed, at most one email is sent twice and none is skipped.
 */
import type { Log } from '@common-ink/http/log.ts';
import type { Outcome } from 'embedded-appwrite';
import { type IssueChange, type IssueStore, issueOfPost, type StoredIssue } from '#backend/newsletter/issues.ts';
import { HOLD_MS, type Lock } from '#backend/newsletter/lock.ts';
import type { StoredSubscriber, SubscriberStore } from '#backend/newsletter/subscribers.ts';
import { faultOf } from '#blog/errors.ts';
import type { ComposedMail } from '#blog/newsletter/newsletter.ts';
import type { Post } from '#blog/post.ts';
import type { Settings } from '#blog/site-settings/settings.ts';
import { every } from '../jobs/every.ts';
import { afterHardFailure } from './bounces.ts';
import { nextDigest } from './digest-time.ts';
import { type SendingRate, sendingRate } from './sending-rate.ts';

export type NewsletterSettings = NonNullable<Settings['newsletter']>;

export interface SenderOptions {
  readonly lock: Lock;
  readonly subscribers: SubscriberStore;
  readonly issues: IssueStore;
  /** Returns the owner's choices; undefined while the newsletter is off. */
  readonly settings: () => (NewsletterSettings & { readonly timeZone: string }) | undefined;
  /** Returns true if a user's posts may be sent to subscribers. */
  readonly maySend: (userId: string) => Promise<boolean>;
  readonly compose: (posts: readonly Post[]) => Promise<ComposedMail>;
  /** Sends one email. `id` stays the same on retries. */
  readonly send: (
    id: string,
    subscriber: StoredSubscriber,
    mail: ComposedMail,
    signal: AbortSignal,
  ) => Promise<Outcome>;
  /** Returns true if the mail server can be reached and accepts the sign-in. */
  readonly isServerUp: () => Promise<boolean>;
  readonly log: Log;
  readonly now?: () => number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Interval at which the sender looks for posts and issues even if no event was reported. */
const LOOK_AFTER = 10 * MINUTE;
/** Delay between an event and the search for posts, so that one search covers several events. */
const PAUSE = 100;
const [FIRST_RETRY, LAST_RETRY] = [15 * MINUTE, 4 * HOUR];
const [FIRST_SERVER_PAUSE, LAST_SERVER_PAUSE] = [5 * SECOND, 15 * MINUTE];
/** Number of consecutive server failures after which an email is deferred, so that others can be sent. */
const MOST_AT_ONE = 3;
/** Number of emails of one issue that are sent before retries and other work get a turn. */
const AT_ONCE = 25;
/** Milliseconds allowed for a running delivery to finish at shutdown. */
const GRACE = 5 * SECOND;
/** Maximum number of failure reasons that an issue lists; the others are counted together. */
const MOST_FAULTS = 20;

interface ReadyIssue {
  readonly slugs: readonly string[];
  readonly mail: ComposedMail;
}

export type Sender = ReturnType<typeof startSender>;

/** Starts sending immediately, including issues that an earlier run left unfinished. */
export function startSender(options: SenderOptions) {
  const { lock, subscribers, issues, settings, maySend, compose, send, isServerUp, log, now = Date.now } = options;
  const ending = new AbortController();
  let rate: SendingRate | undefined;
  /** True if `look` was called during the current run, which may have missed the change. */
  let isAsked = false;
  let serverPause = 0;
  /** The subscriber whose email last failed because of the mail server, and the number of consecutive failures. */
  let stuck = { id: '', times: 0 };
  /** Emails composed during the current run, by issue; undefined for an issue without a post to send. */
  const composed = new Map<string, ReadyIssue | undefined>();

  async function run(): Promise<number> {
    isAsked = false;
    composed.clear();
    const wait = await work().catch((error: unknown) => {
      if (!job.isStopped)
        log('warn', `The newsletter could not be sent; the server will try again. ${faultOf(error).message}`);
      return pauseOfServer();
    });
    return isAsked ? PAUSE : Math.max(PAUSE, Math.min(wait, LOOK_AFTER));
  }

  /** Does the next part of the due work. Returns the milliseconds until more may be due. */
  async function work(): Promise<number> {
    const chosen = settings();
    if (!chosen) return LOOK_AFTER;
    const unsent = await sendable(await issues.unsent());
    if (unsent.length > 0) {
      if (!(await lock.hold())) return HOLD_MS;
      if (await plan(unsent, chosen)) return 0;
    }
    const retries = await subscribers.retriesDue();
    const open = await issues.unfinished();
    const due = open.find(({ dueAt }) => Date.parse(dueAt) <= now());
    if (retries.due.length === 0 && !due)
      return Math.min(retries.next ?? Infinity, ...open.map(({ dueAt }) => Date.parse(dueAt))) - now();
    rate ??= sendingRate(now, await recentTimes());
    for (const { id, retries: deferred } of retries.due)
      for (const { issue } of deferred) {
        const wait = await serve(issue, id);
        if (wait !== undefined) return wait;
      }
    return due ? sendSome(due) : 0;
  }

  async function sendable<Written extends { readonly userId: string }>(posts: readonly Written[]): Promise<Written[]> {
    const authors = new Map<string, boolean>();
    for (const { userId } of posts) if (!authors.has(userId)) authors.set(userId, await maySend(userId));
    return posts.filter(({ userId }) => authors.get(userId));
  }

  /** Creates an issue per post or extends the next digest. Returns false if that digest is no longer `waiting`. */
  async function plan(
    posts: readonly { readonly slug: string }[],
    { rhythm, delay, timeZone }: NewsletterSettings & { readonly timeZone: string },
  ): Promise<boolean> {
    const slugs = posts.map(({ slug }) => slug);
    if (rhythm === 'each') {
      for (const slug of slugs) await issues.create(issueOfPost(slug), [slug], now() + delay * MINUTE);
      return true;
    }
    const at = nextDigest(rhythm, now(), timeZone);
    const id = `d${new Date(at).toISOString().slice(0, 16).replace(':', '-')}`;
    if (await issues.create(id, slugs, at)) return true;
    const digest = await issues.find(id);
    if (digest?.state !== 'waiting') return false;
    await issues.update(id, { slugs: [...digest.slugs, ...slugs] });
    return true;
  }

  /** Sends an issue to its next subscribers. Returns the milliseconds until the next call. */
  async function sendSome({ id, cursor }: StoredIssue): Promise<number> {
    await issues.setState(id, ['waiting'], 'sending');
    const people = (await ready(id)) ? await subscribers.activeAfter(cursor, AT_ONCE) : [];
    for (const person of people) {
      const wait = await serve(id, person.id, true);
      if (wait !== undefined) return wait;
    }
    if (people.length === 0) await end(id);
    return 0;
  }

  async function end(id: string): Promise<void> {
    const state = (await ready(id)) ? 'done' : 'cancelled';
    if (!(await issues.setState(id, ['sending'], state))) return;
    const { sent, failed } = (await issues.find(id)) ?? { sent: 0, failed: 0 };
    log('info', `Newsletter issue ${id} is ${state}: ${sent} sent, ${failed} failed.`);
  }

  /** Returns an issue's email with the posts that may still be sent; undefined if none may be sent. */
  async function ready(id: string): Promise<ReadyIssue | undefined> {
    if (composed.has(id)) return composed.get(id);
    const posts = await sendable(await issues.posts((await issues.find(id))?.slugs ?? []));
    const issue = posts.length > 0 ? { slugs: posts.map((post) => post.id), mail: await compose(posts) } : undefined;
    composed.set(id, issue);
    return issue;
  }

  /**
   * Sends an issue to a subscriber. `isInTurn` is false for a retry. Returns undefined if the next email can follow;
   * otherwise returns the milliseconds to wait.
   */
  async function serve(issueId: string, id: string, isInTurn = false): Promise<number | undefined> {
    if (!(await turn())) return LOOK_AFTER;
    if (!(await lock.hold())) return HOLD_MS;
    const content = await ready(issueId);
    const isComplete = content && (await issues.public(content.slugs)).length === content.slugs.length;
    if (content && !isComplete) return 0;
    // Reads the issue and the subscriber again, because the owner may have stopped the issue, and the subscriber may
    // have unsubscribed.
    const issue = await issues.find(issueId);
    const subscriber = await subscribers.find(id);
    if (isInTurn && issue?.state !== 'sending') return 0;
    if (subscriber?.state !== 'active') return undefined;
    if (issue?.state === 'paused') return void (await postpone(subscriber));
    if (!issue || !content || issue.state === 'cancelled') return void (await drop(subscriber, issueId));
    const outcome = await deliver(issueId, subscriber, content.mail);
    if (outcome.state === 'failed' && outcome.affects === 'server' && !(await isAboutRecipient(id))) {
      if (!job.isStopped) log('warn', `The newsletter is waiting for the mail server: ${outcome.reason}`);
      return pauseOfServer();
    }
    rate?.note();
    serverPause = 0;
    const counted = await settle(subscriber, issueId, outcome);
    await issues.update(issueId, { ...(isInTurn && { cursor: id }), ...countedIn(issue, counted) });
    return undefined;
  }

  async function deliver(issue: string, subscriber: StoredSubscriber, mail: ComposedMail): Promise<Outcome> {
    if (!subscriber.address)
      return { state: 'refused', reason: 'the address was encrypted with a different server key' };
    const renewing = setInterval(() => void lock.hold().catch(() => undefined), HOLD_MS / 4);
    try {
      return await send(`${issue}.${subscriber.id}`, subscriber, mail, ending.signal);
    } finally {
      clearInterval(renewing);
    }
  }

  /** Counts a server failure for this recipient. Returns true after several in a row if the mail server is up. */
  async function isAboutRecipient(id: string): Promise<boolean> {
    stuck = { id, times: stuck.id === id ? stuck.times + 1 : 1 };
    return stuck.times >= MOST_AT_ONE && !job.isStopped && (await isServerUp());
  }

  /** Postpones all of a subscriber's retries, because the issue of one of them is paused. */
  const postpone = ({ id, retries }: StoredSubscriber): Promise<void> =>
    subscribers.settle(id, { retries }, now() + FIRST_RETRY);

  async function drop({ id, retries }: StoredSubscriber, issue: string): Promise<void> {
    const others = retries.filter((retry) => retry.issue !== issue);
    await subscribers.settle(id, { retries: others }, retryTime(others));
  }

  /** Stores a delivery's outcome in the subscriber's record. Returns the outcome to count for the issue. */
  async function settle(subscriber: StoredSubscriber, issue: string, outcome: Outcome): Promise<Outcome> {
    const { id, address, failures } = subscriber;
    const former = subscriber.retries.find((retry) => retry.issue === issue);
    const others = subscriber.retries.filter((retry) => retry !== former);
    const since = former?.since ?? now();
    const isDeferred = outcome.state === 'failed' && now() - since < DAY;
    const retries = isDeferred ? [...others, { issue, since }] : others;
    if (former || isDeferred || outcome.state === 'refused' || failures > 0) {
      const counted = outcome.state === 'refused' && address ? afterHardFailure(subscriber) : {};
      await subscribers.settle(
        id,
        { ...(outcome.state === 'sent' && { failures: 0 }), ...counted, retries },
        retryTime(retries),
      );
    }
    return outcome.state === 'failed' && !isDeferred ? { state: 'refused', reason: outcome.reason } : outcome;
  }

  /** Returns the Unix time in ms of the earliest retry. The wait equals the time since the first try, within bounds. */
  const retryTime = (retries: StoredSubscriber['retries']): number | undefined =>
    retries.length === 0
      ? undefined
      : now() + Math.min(...retries.map(({ since }) => Math.min(Math.max(now() - since, FIRST_RETRY), LAST_RETRY)));

  /** Estimates when the last day's emails were sent. May include older ones: it counts all emails of a recent issue. */
  async function recentTimes(): Promise<number[]> {
    const recent = (await issues.newest(25)).filter(({ updatedAt }) => Date.parse(updatedAt) > now() - DAY);
    return recent
      .flatMap(({ sent, updatedAt }) => Array.from({ length: sent }, () => Date.parse(updatedAt)))
      .sort((one, other) => one - other);
  }

  function pauseOfServer(): number {
    serverPause = Math.min(Math.max(serverPause * 2, FIRST_SERVER_PAUSE), LAST_SERVER_PAUSE);
    return serverPause;
  }

  /** Waits until the next email may be sent. Returns false at shutdown and while the newsletter is off. */
  async function turn(): Promise<boolean> {
    for (;;) {
      const chosen = settings();
      if (!chosen || job.isStopped) return false;
      const ms = rate?.wait(chosen) ?? 0;
      if (ms <= 0) return true;
      // Checks the limits again every minute, because the owner may change them.
      await sleep(Math.min(ms, MINUTE));
    }
  }

  let wakeUp: (() => void) | undefined;
  const sleep = (ms: number): Promise<void> => {
    if (ms <= 0 || job.isStopped) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  };

  const job = every(PAUSE, run);
  return {
    /**
     * Makes the sender look for posts and issues to send, after a short delay. Call this after posts, issues or
     * settings have changed.
     */
    look(): void {
      isAsked = true;
      wakeUp?.();
      job.wake(PAUSE);
    },
    async stop(): Promise<void> {
      const stopped = job.stop();
      wakeUp?.();
      const impatience = setTimeout(() => ending.abort(), GRACE);
      await stopped;
      clearTimeout(impatience);
    },
  };
}

function countedIn({ sent, failed, faults }: StoredIssue, outcome: Outcome): IssueChange {
  if (outcome.state === 'sent') return { sent: sent + 1 };
  if (outcome.state === 'failed') return {};
  const { reason } = outcome;
  const listed = reason in faults || Object.keys(faults).length < MOST_FAULTS ? reason : '…';
  return { failed: failed + 1, faults: { ...faults, [listed]: (faults[listed] ?? 0) + 1 } };
}
