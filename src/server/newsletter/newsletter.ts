/** Runs this server's newsletter: the service for readers and owners, and the sender of the issues. */
import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '@common-ink/http/log.ts';
import { createTransport, type Delivery, mailFault, type Outcome } from 'embedded-appwrite';
import type { NewsletterService } from '#api/locals.ts';
import { openIssues, type StoredIssue } from '#backend/newsletter/issues.ts';
import { type Asked, manageToken, newsletterLinks, readManageToken } from '#backend/newsletter/links.ts';
import { openLock } from '#backend/newsletter/lock.ts';
import { type Recipient, returnPaths } from '#backend/newsletter/return-paths.ts';
import { openSubscribers, type StoredSubscriber } from '#backend/newsletter/subscribers.ts';
import { emailOf, namesOf } from '#backend/people/accounts.ts';
import { membershipOf } from '#backend/people/site-team.ts';
import { subscribersCsv } from '#blog/newsletter/csv.ts';
import type { ComposedMail, Issue, IssueState, Subscriber } from '#blog/newsletter/newsletter.ts';
import type { Post } from '#blog/post.ts';
import type { Configuration } from '../configuration.ts';
import type { RepeatedJob } from '../jobs/every.ts';
import { sweepTarget } from '../jobs/sweep.ts';
import type { Appearance } from '../site/appearance.ts';
import { startBounces } from './bounces.ts';
import { openConfirmations } from './confirmations.ts';
import { dkimOf } from './dkim.ts';
import { type Sender, startSender } from './sender.ts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;
/**
 * Minimum age of a proof, the token that shows that a visitor waited before subscribing. The waiting page sends it
 * after `WAIT_SECONDS`, which is longer.
 */
const LEAST = 2 * SECOND;
const PROOF_LASTS = 3600 * SECOND;
const CONFIRM_LASTS = 7 * DAY;
const GROWTH_DAYS = 14;
const ISSUES_SHOWN = 50;
const LISTED = 50;
const ID = /^[0-9a-f]{32}$/;

export interface NewsletterOptions {
  readonly appearance: () => Appearance;
  readonly log: Log;
  readonly now?: () => number;
}

export type Newsletter = NonNullable<ReturnType<typeof openNewsletter>>;

/** Returns undefined without a server key. */
export function openNewsletter(configuration: Configuration, { appearance, log, now = Date.now }: NewsletterOptions) {
  const found = sweepTarget(configuration);
  if (!found) return undefined;
  const target = found;
  const { siteUrl, embedded, bounces } = configuration;
  const { mail } = embedded;
  const subscribers = openSubscribers(target, now);
  const issues = openIssues(target, now);
  const links = newsletterLinks(target.apiKey);
  const paths = bounces && returnPaths(target.apiKey, bounces.address);
  const { host } = new URL(siteUrl);

  const chosen = () => {
    const { newsletter, timeZone = 'UTC' } = appearance().effective;
    return mail && newsletter && { ...newsletter, timeZone };
  };
  const subscription = (token: string): string => `${siteUrl}/api/subscription?${new URLSearchParams({ token })}`;
  const transport =
    mail &&
    createTransport({
      ...mail,
      keepsConnection: true,
      dkim: dkimOf(configuration.dataDirectory, mail.from.address),
      from: () => ({ address: mail.from.address, name: appearance().effective.mailName ?? '' }),
    });
  const send = (id: string, address: string, composed: ComposedMail, signal: AbortSignal, delivery?: Delivery) =>
    transport?.send(id, { address }, composed, signal, delivery) ?? Promise.resolve<Outcome>(NO_SERVER);
  const place = () => ({ site: appearance().site, theme: appearance().theme, contact: chosen()?.contact ?? '' });
  async function compose(posts: readonly Post[]): Promise<ComposedMail> {
    const names = await namesOf(target, [...new Set(posts.map(({ userId }) => userId))]);
    const { composeIssue } = await composing();
    return composeIssue(posts, { ...place(), authors: new Map(Object.entries(names)) });
  }

  async function sendIssue(
    id: string,
    { id: person, address, failures, secret }: Pick<StoredSubscriber, 'address' | 'secret'> & Recipient,
    composed: ComposedMail,
    signal: AbortSignal,
  ) {
    const { personalise } = await composing();
    const link = subscription(manageToken({ id: person, secret }));
    return send(id, address, personalise(composed, link), signal, {
      returnPath: paths?.of({ id: person, failures }),
      headers: {
        'List-Id': `<newsletter.${host.replace(/:\d+$/, '')}>`,
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
  }

  const confirmations = openConfirmations({
    send: async (address, link, signal) => {
      const composed = (await composing()).composeConfirmation({ ...place(), link });
      return send(`confirm.${now()}.${subscribers.idOf(address)}`, address, composed, signal);
    },
    log,
    now,
  });
  const askFor = (asked: Asked): boolean => confirmations.mail(asked, subscription(links.request('confirm', asked)));

  let sender: Sender | undefined;
  let bounceJob: RepeatedJob | undefined;
  const look = (): void => sender?.look();

  /** Returns the request in a token; undefined if it is forged or expired, or if the address has since unsubscribed. */
  async function validRequest(token: string): Promise<Asked | undefined> {
    const asked = links.requested('confirm', token);
    if (!asked || now() > asked.at + CONFIRM_LASTS) return undefined;
    const known = await subscribers.find(subscribers.idOf(asked.address));
    return known?.state === 'left' && Date.parse(known.since) > asked.at ? undefined : asked;
  }

  /** Returns the subscriber to whom a link's token belongs; undefined if it is forged or the subscriber was deleted. */
  async function managedBy(token: string): Promise<StoredSubscriber | undefined> {
    const { id, isOf } = readManageToken(token);
    const known = ID.test(id) ? await subscribers.find(id) : undefined;
    return known && isOf(known) ? known : undefined;
  }

  async function leave(id: string): Promise<boolean> {
    const known = await subscribers.find(id);
    if (!known) return false;
    if (known.state !== 'left') await subscribers.leave(id);
    return true;
  }

  async function setState(id: string, from: readonly IssueState[], state: IssueState): Promise<void> {
    await issues.setState(id, from, state);
    look();
  }

  const service: NewsletterService = {
    isOn: () => chosen() !== undefined,

    prove: (address) => links.request('proof', { address, at: now(), source: 'form' }),

    async request(proof) {
      const asked = links.requested('proof', proof);
      if (!asked || now() > asked.at + PROOF_LASTS) return 'expired';
      if (now() < asked.at + LEAST) return 'early';
      askFor({ ...asked, at: now() });
      return 'sent';
    },

    async open(token) {
      const known = await managedBy(token);
      if (known) return known.state === 'left' ? 'expired' : { purpose: 'manage', address: known.address };
      const asked = links.requested('confirm', token);
      if (!asked) return undefined;
      return (await validRequest(token)) ? { purpose: 'confirm', address: asked.address } : 'expired';
    },

    async confirm(token) {
      const asked = await validRequest(token);
      if (!asked) return false;
      const id = subscribers.idOf(asked.address);
      if ((await subscribers.find(id))?.state !== 'active') await subscribers.activate(asked.address, asked.source);
      const former = asked.from && asked.from !== id ? await subscribers.find(asked.from) : undefined;
      // Keeps the previous address if it was confirmed again after the change was requested.
      if (former && Date.parse(former.since) <= asked.at) await leave(former.id);
      return true;
    },

    async leave(token) {
      const known = await managedBy(token);
      return known !== undefined && leave(known.id);
    },

    async change(token, address) {
      const known = await managedBy(token);
      if (known?.state !== 'active') return false;
      askFor({ address, at: now(), source: 'form', from: known.id });
      return true;
    },

    async state() {
      const days = Array.from({ length: GROWTH_DAYS }, (_, ago) =>
        new Date(now() - (GROWTH_DAYS - 1 - ago) * DAY).toISOString().slice(0, 10),
      );
      const [counted, newest] = await Promise.all([subscribers.counts(days), issues.newest(ISSUES_SHOWN)]);
      const titles = await issues.titles(newest.flatMap(({ slugs: [first] }) => first ?? []));
      return { sendsMail: mail !== undefined, ...counted, issues: newest.map((issue) => shown(issue, titles)) };
    },

    async list({ search, after }) {
      const found: Subscriber[] = [];
      for await (const subscriber of subscribers.everyone(after)) {
        if (!subscriber.address.toLowerCase().includes(search.toLowerCase())) continue;
        if (found.length === LISTED) return { subscribers: found, next: found.at(-1)?.id ?? '' };
        found.push(listed(subscriber));
      }
      return { subscribers: found };
    },

    async add(address) {
      const known = await subscribers.find(subscribers.idOf(address));
      if (known) return false;
      return askFor({ address, at: now(), source: 'added' });
    },

    remove: async (id) => void (await subscribers.forget(id)),
    importAll: (rows) => subscribers.importAll(rows),

    async exportAll() {
      const rows: Subscriber[] = [];
      for await (const subscriber of subscribers.everyone()) rows.push(listed(subscriber));
      return subscribersCsv(rows);
    },

    pause: (id, isPaused) =>
      isPaused ? setState(id, ['waiting', 'sending'], 'paused') : setState(id, ['paused'], 'sending'),
    cancel: (id) => setState(id, ['waiting', 'sending', 'paused'], 'cancelled'),

    async preview(post) {
      const composed = await compose([post]);
      return (await composing()).personalise(composed, siteUrl);
    },

    async test(post, userId) {
      const [composed, address] = [await compose([post]), await emailOf(target, userId)];
      if (!address) return false;
      const person = { id: subscribers.idOf(address), address, failures: 0, secret: '' };
      return (await sendIssue(`test.${now()}`, person, composed, AbortSignal.timeout(30 * SECOND))).state === 'sent';
    },
  };

  return {
    service,
    /** Starts sending issues and reading bounces. Call this once the backend is provisioned. */
    start(): void {
      const holder = hash('sha256', `${hostname()} ${configuration.dataDirectory}`).slice(0, 32);
      sender = startSender({
        ...{ lock: openLock(target, holder, now), subscribers, issues, compose, log, now },
        settings: chosen,
        isServerUp: async () => mail !== undefined && (await mailFault(mail)) === undefined,
        // Anyone may have an account, but only members' posts are sent to subscribers.
        maySend: async (userId) => (await membershipOf(target, userId))?.hasJoined === true,
        send: sendIssue,
      });
      // A server that sends no email, such as one on a copy of the data, leaves bounces to the server that does.
      if (mail && bounces && paths) {
        bounceJob = startBounces({ directory: bounces.directory, returnPaths: paths, subscribers, log });
      }
    },
    /** Makes the sender look for posts and issues to send. Call this after posts or settings have changed. */
    look,
    /** Stops sending. Call this before the backend closes; progress is already stored. */
    async stop(): Promise<void> {
      await Promise.all([sender?.stop(), bounceJob?.stop(), confirmations.close()]);
      await transport?.close();
    },
  };
}

/** Loaded on demand, because most server processes send no email. */
const composing = () => import('#newsletter/compose/compose.ts');

const NO_SERVER: Outcome = { state: 'failed', affects: 'server', reason: 'SMTP_HOST is not set' };

const listed = ({ id, address, state, since, source }: StoredSubscriber): Subscriber => ({
  ...{ id, address, state, since, source },
});

const shown = (
  { id, slugs, state, dueAt, sent, failed, faults }: StoredIssue,
  titles: ReadonlyMap<string, string>,
): Issue => ({
  ...{ id, slugs, state, dueAt, sent, failed, faults },
  title: titles.get(`${slugs[0]}`) ?? `${slugs[0]}`,
});
