/**
 * Sends the newsletter's issues, one mail after another (docs/decisions/030-newsletter.md). Progress is stored after each
 * mail, so that a killed process sends at most one mail twice and leaves none out.
 */
import type { Log } from '@common-ink/http/log.ts';
import type { Outcome } from 'embedded-appwrite';
import { type IssueStore, issueOfPost, type StoredIssue } from '#backend/newsletter/issues.ts';
import type { Retry, StoredSubscriber, SubscriberStore } from '#backend/newsletter/subscribers.ts';
import { faultOf } from '#blog/errors.ts';
import type { ComposedMail } from '#blog/newsletter/newsletter.ts';
import type { Post } from '#blog/post.ts';
import type { Settings } from '#blog/site-settings/settings.ts';
import { every } from '../jobs/every.ts';
import { nextDigest } from './digest-time.ts';
import { afterHardFailure } from './hard-failures.ts';
import { type SendingRate, sendingRate } from './sending-rate.ts';

export type NewsletterSettings = NonNullable<Settings['newsletter']>;

export interface SenderOptions {
  /** Names this instance of the site, also after a restart. */
  readonly holder: string;
  readonly subscribers: SubscriberStore;
  readonly issues: IssueStore;
  /** Returns the owner's choices; undefined while the newsletter is off. */
  readonly settings: () => (NewsletterSettings & { readonly timeZone: string }) | undefined;
  /** Returns true if the posts of a user go to subscribers. */
  readonly maySend: (userId: string) => Promise<boolean>;
  readonly compose: (posts: readonly Post[]) => Promise<ComposedMail>;
  /** Sends one mail. `id` is the same on each attempt. */
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
/** Interval of the searches for posts and issues that no event reported. */
const LOOK_AFTER = 10 * MINUTE;
/** Delay of a search after an event, which combines several events into one search. */
const PAUSE = 100;
/** Time for which a process holds an issue; another one takes it over afterwards. */
const HOLD = 2 * MINUTE;
const [FIRST_RETRY, LAST_RETRY] = [15 * MINUTE, 4 * HOUR];
const [FIRST_SERVER_PAUSE, LAST_SERVER_PAUSE] = [5 * SECOND, 15 * MINUTE];
/** Failures of the server at one subscriber, after which the mail is deferred so that others get theirs. */
const MOST_AT_ONE = 3;
/** Time that running deliveries get at shutdown, in milliseconds. */
const GRACE = 5 * SECOND;

export type Sender = ReturnType<typeof startSender>;

/** Starts at once, with the issues that an earlier run left unfinished. */
export function startSender(options: SenderOptions) {
  const { holder, subscribers, issues, settings, maySend, compose, send, isServerUp, log, now = Date.now } = options;
  const ending = new AbortController();
  let rate: SendingRate | undefined;
  let isStopped = false;
  /** True after a call of `look` during the current run, which may have missed the change. */
  let isAsked = false;
  let serverPause = 0;
  /** The subscriber at whom the server failed last, and how often in a row. */
  let stuck = { id: '', times: 0 };

  async function run(): Promise<number> {
    isAsked = false;
    try {
      const next = await work();
      return isAsked ? PAUSE : Math.max(PAUSE, Math.min(next, LOOK_AFTER));
    } catch (error) {
      return waitAfter(error) - now();
    }
  }

  /** Logs an error. Returns the Unix time in ms of the next attempt. */
  function waitAfter(error: unknown): number {
    if (!isStopped) log('warn', `The newsletter waits and is tried again. ${faultOf(error).message}`);
    return now() + pauseOfServer();
  }

  /** Returns those of the posts whose authors may send to subscribers. */
  async function sendable<Written extends { readonly userId: string }>(posts: readonly Written[]): Promise<Written[]> {
    const authors = new Map<string, boolean>();
    for (const { userId } of posts) if (!authors.has(userId)) authors.set(userId, await maySend(userId));
    return posts.filter(({ userId }) => authors.get(userId));
  }

  /** Returns the milliseconds until there may be more to do. */
  async function work(): Promise<number> {
    const chosen = settings();
    if (!chosen) return LOOK_AFTER;
    rate ??= sendingRate(now, await recentTimes());
    await plan(chosen);
    const waits = [now() + LOOK_AFTER];
    for (const issue of await issues.unfinished()) {
      const from = Math.max(Date.parse(issue.dueAt), issue.holder === holder ? 0 : issue.heldUntil);
      if (from > now()) waits.push(from);
      else waits.push(await sendIssue(issue).catch((error: unknown) => waitAfter(error)));
      if (isStopped) return LOOK_AFTER;
    }
    waits.push(await sendRetries());
    return Math.min(...waits) - now();
  }

  /** Creates issues for the posts that are to be sent. */
  async function plan({ rhythm, delay, timeZone }: NewsletterSettings & { readonly timeZone: string }): Promise<void> {
    const unsent = await issues.unsent();
    const slugs = (await sendable(unsent)).map(({ slug }) => slug);
    if (slugs.length === 0) return;
    if (rhythm === 'each') {
      for (const slug of slugs) await issues.create(issueOfPost(slug), [slug], now() + delay * MINUTE);
      return;
    }
    const at = nextDigest(rhythm, now(), timeZone);
    const id = `d${new Date(at).toISOString().slice(0, 16).replace(':', '-')}`;
    if (await issues.create(id, slugs, at)) return;
    const digest = await issues.find(id);
    if (digest?.state === 'waiting') await issues.change(digest, { slugs: [...digest.slugs, ...slugs] });
  }

  /** Sends an issue until it is done or has to wait. Returns the Unix time in ms at which it can go on. */
  async function sendIssue(found: StoredIssue): Promise<number> {
    let issue = await issues.change(found, { state: 'sending', holder, heldUntil: now() + HOLD });
    if (!issue) return now();
    const posts = await sendable(await issues.posts(issue.slugs));
    const mail = posts.length > 0 ? await compose(posts) : undefined;
    while (mail && !isStopped) {
      const people = await subscribers.activeAfter(issue.cursor);
      if (people.length === 0) break;
      for (const { id } of people) {
        if (!(await turn())) return released(issue);
        // Held before the mail leaves, so that no other process sends it, and none after the owner has stopped it.
        if (now() > issue.heldUntil - HOLD / 2) {
          const held: StoredIssue | undefined = await issues.change(issue, { heldUntil: now() + HOLD });
          if (!held) return now();
          issue = held;
        }
        const wanted = posts.map(({ id }) => id);
        if ((await issues.public(wanted)).length < wanted.length) return now();
        if ((await issues.find(issue.id))?.updatedAt !== issue.updatedAt) return now();
        // Read again, because the person may have left since the list was read.
        const subscriber = await subscribers.find(id);
        if (subscriber?.state !== 'active') continue;
        const outcome = await deliver(issue.id, subscriber, mail);
        if (outcome.state === 'failed' && outcome.affects === 'server' && !(await isAboutRecipient(id))) {
          if (isStopped) return released(issue);
          log('warn', `The newsletter waits for the mail server: ${outcome.reason}`);
          await released(issue);
          return now() + pauseOfServer();
        }
        rate?.note();
        serverPause = 0;
        await settle(subscriber, issue.id, outcome);
        const counted: StoredIssue | undefined = await advance(issue, id, outcome);
        if (!counted) return now();
        issue = counted;
      }
    }
    if (isStopped) return released(issue);
    const ended = { ...issue, state: mail ? ('done' as const) : ('cancelled' as const) };
    await issues.change(issue, { state: ended.state, holder: '', heldUntil: 0 });
    log('info', `Newsletter issue ${issue.id} is ${ended.state}: ${issue.sent} sent, ${issue.failed} failed.`);
    return now();
  }

  async function deliver(issue: string, subscriber: StoredSubscriber, mail: ComposedMail): Promise<Outcome> {
    if (!subscriber.address) return { state: 'refused', reason: 'the address is encrypted under another server key' };
    const renewing = setInterval(() => void renew(issue).catch(() => undefined), HOLD / 4);
    try {
      return await send(`${issue}.${subscriber.id}`, subscriber, mail, ending.signal);
    } finally {
      clearInterval(renewing);
    }
  }

  async function renew(id: string): Promise<void> {
    const issue = await issues.find(id);
    if (issue?.holder === holder) await issues.change(issue, { heldUntil: now() + HOLD });
  }

  /** Returns true if the server fails at one recipient again and again, while it takes connections. */
  async function isAboutRecipient(id: string): Promise<boolean> {
    stuck = { id, times: stuck.id === id ? stuck.times + 1 : 1 };
    return stuck.times >= MOST_AT_ONE && !isStopped && (await isServerUp());
  }

  /** Stores that the issue has come to a subscriber; tries again if the owner has changed it meanwhile. */
  async function advance(issue: StoredIssue, cursor: string, outcome: Outcome): Promise<StoredIssue | undefined> {
    let current: StoredIssue | undefined = issue;
    while (current) {
      const changed = await issues.change(current, { cursor, ...countedIn(current, outcome) });
      if (changed) return changed.state === 'sending' && changed.holder === holder ? changed : undefined;
      current = await issues.find(issue.id);
    }
    return undefined;
  }

  async function released(issue: StoredIssue): Promise<number> {
    await issues.change(issue, { holder: '', heldUntil: 0 });
    return now() + SECOND;
  }

  /** Stores the consequences of a delivery for its subscriber. */
  async function settle(subscriber: StoredSubscriber, issue: string, outcome: Outcome): Promise<void> {
    const others = subscriber.retries.filter((retry) => retry.issue !== issue);
    if (!subscriber.address) return;
    if (outcome.state === 'sent') {
      if (subscriber.failures > 0 || others.length < subscriber.retries.length)
        await subscribers.settle(subscriber, { failures: 0, retries: others }, retryTime(others));
    } else if (outcome.state === 'refused') {
      await subscribers.settle(subscriber, { ...afterHardFailure(subscriber), retries: others }, retryTime(others));
    } else {
      const former = subscriber.retries.find((retry) => retry.issue === issue);
      const retry: Retry = { issue, since: former?.since ?? now(), attempts: (former?.attempts ?? 0) + 1 };
      const retries = now() - retry.since < DAY ? [...others, retry] : others;
      await subscribers.settle(subscriber, { retries }, retryTime(retries));
    }
  }

  const retryTime = (retries: readonly Retry[]): number | undefined =>
    retries.length === 0
      ? undefined
      : now() + Math.min(...retries.map(({ attempts }) => Math.min(FIRST_RETRY * 2 ** (attempts - 1), LAST_RETRY)));

  /** Repeats deferred deliveries. Returns the Unix time in ms of the next one. */
  async function sendRetries(): Promise<number> {
    const { due, next } = await subscribers.retriesDue();
    for (const subscriber of due) {
      for (const retry of subscriber.retries) {
        if (!(await turn())) return now() + LOOK_AFTER;
        const current = await subscribers.find(subscriber.id);
        if (current?.state !== 'active' || !(await subscribers.claimRetry(current, now() + HOLD))) break;
        const issue = await issues.find(retry.issue);
        if (issue?.state === 'paused') continue;
        const posts = issue && issue.state !== 'cancelled' ? await issues.posts(issue.slugs) : [];
        if (!issue || posts.length === 0) {
          const retries = current.retries.filter((each) => each.issue !== retry.issue);
          await subscribers.settle(current, { retries }, retryTime(retries));
          continue;
        }
        const mail = await compose(posts);
        const outcome = await deliver(issue.id, current, mail);
        if (outcome.state === 'failed' && outcome.affects === 'server') return now() + pauseOfServer();
        rate?.note();
        serverPause = 0;
        await settle(current, issue.id, outcome);
        await recount(issue.id, outcome, now() - retry.since >= DAY);
      }
    }
    return next ?? now() + LOOK_AFTER;
  }

  /** Counts a repeated delivery, once it is decided. */
  async function recount(id: string, outcome: Outcome, isGivenUp: boolean): Promise<void> {
    if (outcome.state === 'failed' && !isGivenUp) return;
    const counted: Outcome = outcome.state === 'failed' ? { state: 'refused', reason: outcome.reason } : outcome;
    for (let issue = await issues.find(id); issue; issue = await issues.find(id))
      if (await issues.change(issue, countedIn(issue, counted))) return;
  }

  /** Returns the times of mails sent within the last day, as far as the issues tell; rather too many than too few. */
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

  /** Waits until the next mail may be sent. Returns false once there is none: at shutdown, and if the newsletter is off. */
  async function turn(): Promise<boolean> {
    for (;;) {
      const chosen = settings();
      if (!chosen || isStopped) return false;
      const ms = rate?.wait(chosen) ?? 0;
      if (ms <= 0) return true;
      // Looks again each minute, because the owner may change the limits.
      await sleep(Math.min(ms, MINUTE));
    }
  }

  let wakeUp: (() => void) | undefined;
  const sleep = (ms: number): Promise<void> => {
    if (ms <= 0 || isStopped) return Promise.resolve();
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
    /** Call it after a change of posts, issues or settings. */
    look(): void {
      isAsked = true;
      wakeUp?.();
      job.wake(PAUSE);
    },
    async stop(): Promise<void> {
      isStopped = true;
      wakeUp?.();
      const impatience = setTimeout(() => ending.abort(), GRACE);
      await job.stop();
      clearTimeout(impatience);
    },
  };
}

function countedIn({ sent, failed, faults }: StoredIssue, outcome: Outcome): Partial<StoredIssue> {
  if (outcome.state === 'sent') return { sent: sent + 1 };
  if (outcome.state === 'failed') return {};
  return { failed: failed + 1, faults: { ...faults, [outcome.reason]: (faults[outcome.reason] ?? 0) + 1 } };
}
