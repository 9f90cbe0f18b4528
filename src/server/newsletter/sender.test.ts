import { createTransport, mailFault } from 'embedded-appwrite';
import { smtpError, startMailServer } from 'embedded-appwrite/testing';
import { Databases, ID } from 'node-appwrite';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { openIssues } from '#backend/newsletter/issues.ts';
import { openLock } from '#backend/newsletter/lock.ts';
import { openSubscribers, subscriberId } from '#backend/newsletter/subscribers.ts';
import { serverClient } from '#backend/target.ts';
import { postPermissions } from '#blog/permissions.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { nextDigest } from './digest-time.ts';
import { type NewsletterSettings, type Sender, startSender } from './sender.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const EACH: NewsletterSettings = { rhythm: 'each', contact: 'Ink, 1 Quay', perMinute: 6000, delay: 0 };

const site = await sharedSite();
const mail = await startMailServer();
afterAll(() => mail.stop());
const { databaseId } = site.target;
let sender: Sender | undefined;
let settings: NewsletterSettings | undefined;
let clock: number;
let logged: string[];
const now = () => clock + (Date.now() - begun);
let begun: number;

const databases = new Databases(serverClient(site.target));
const subscribers = () => openSubscribers(site.target, now);
const issues = () => openIssues(site.target, now);

beforeEach(async () => {
  [settings, begun, clock, logged] = [EACH, Date.now(), Date.now(), []];
  mail.received.length = 0;
  mail.offered.length = 0;
  mail.answer = () => undefined;
});
afterEach(async () => {
  await sender?.stop();
  sender = undefined;
  for (const collectionId of ['articles', 'subscribers', 'newsletter-issues', 'locks'])
    await databases.deleteDocuments({ databaseId, collectionId });
});

async function start(): Promise<void> {
  await sender?.stop();
  const transport = createTransport(mail.options);
  sender = startSender({
    ...{ lock: openLock(site.target, 'this', now), subscribers: subscribers(), issues: issues(), now },
    maySend: async (userId) => userId !== 'stranger',
    settings: () => settings && { ...settings, timeZone: 'UTC' },
    compose: async (posts) => {
      const subject = posts.map(({ title }) => title).join(', ');
      return { subject, text: subject, html: `<p>${subject}</p>` };
    },
    send: (id, { address }, composed, signal) => transport.send(id, { address }, composed, signal),
    isServerUp: async () => (await mailFault(mail.options)) === undefined,
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
}

const subscribe = async (...names: string[]) => {
  for (const name of names) await subscribers().activate(`${name}@example.com`, 'form');
};
async function publish(title: string, more: object = {}, reader = 'any'): Promise<string> {
  const documentId = ID.unique();
  const data = { title, content: '<p>Words.</p>', featuredImage: '', userId: 'ada', status: 'active', ...more };
  const permissions = [`read("${reader}")`, `update("user:${data.userId}")`];
  await databases.createDocument({
    ...{ databaseId, collectionId: 'articles', documentId, permissions },
    data: { newsletter: 'send', ...data },
  });
  return documentId;
}
async function publishNow(title: string): Promise<string> {
  const slug = await publish(title);
  sender?.look();
  return slug;
}
function pass(milliseconds: number): void {
  clock += milliseconds;
  sender?.look();
}
const change = (documentId: string, data: object) =>
  databases.updateDocument({ databaseId, collectionId: 'articles', documentId, data });
const stateOf = async (slug: string) => (await issues().newest(50)).find(({ slugs }) => slugs.includes(slug));
const ended = (slug: string) => expect.poll(async () => (await stateOf(slug))?.state).toMatch(/done|cancelled/);
const subjectsTo = (name: string) =>
  mail.received.filter(({ to }) => to.includes(`${name}@example.com`)).map(({ email }) => email.subject);

it('sends a post once to each active subscriber, and counts the mails', async () => {
  await subscribe('ann', 'bob', 'eve');
  await subscribers().leave(subscriberId('eve@example.com'));
  const slug = await publish('First');
  await start();
  await ended(slug);
  await start();
  sender?.look();
  await ended(await publishNow('Second'));
  for (const reader of ['ann', 'bob']) expect(subjectsTo(reader)).toEqual(['First', 'Second']);
  expect(subjectsTo('eve')).toEqual([]);
  expect(await stateOf(slug)).toMatchObject({ state: 'done', sent: 2, failed: 0, slugs: [slug] });
});

it.each([
  ['a post without the tick', { newsletter: null }],
  ['a draft', { status: 'inactive' }],
  ['a page', { kind: 'page' }],
  ['a post of somebody who is no member', { userId: 'stranger' }],
])('does not send %s', async (_, more) => {
  await subscribe('ann');
  await publish('Not this', more);
  await start();
  await ended(await publish('But this'));
  expect(subjectsTo('ann')).toEqual(['But this']);
});

it('does not send a post that only its author may read, whatever its status says', async () => {
  await subscribe('ann');
  const slug = await publish('Not this', {}, 'user:ada');
  expect(await issues().posts([slug])).toEqual([]);
  expect(await issues().public([slug])).toEqual([]);
  await start();
  await ended(await publish('But this'));
  expect(subjectsTo('ann')).toEqual(['But this']);
  expect(await stateOf(slug)).toBeUndefined();
});

it('does not send a post that was taken back before its turn', async () => {
  await subscribe('ann');
  settings = { ...EACH, delay: 10 };
  const slug = await publish('Too early');
  await start();
  await expect.poll(() => stateOf(slug)).toBeDefined();
  await change(slug, { status: 'inactive' });
  pass(11 * MINUTE);
  await ended(slug);
  expect(await stateOf(slug)).toMatchObject({ state: 'cancelled', sent: 0 });
  await change(slug, { status: 'active' });
  settings = EACH;
  await ended(await publishNow('Later'));
  expect(subjectsTo('ann')).toEqual(['Later']);
});

it('names an issue by the title of its post only while the post is public', async () => {
  const slug = await publish('Known to all');
  const titles = () => issues().titles([slug]);
  expect(await titles()).toEqual(new Map([[slug, 'Known to all']]));
  const draft = { title: 'Known to the author', status: 'inactive' };
  const place = { databaseId, collectionId: 'articles', documentId: slug };
  await databases.updateDocument({ ...place, data: draft, permissions: postPermissions('inactive', 'ada') });
  expect(await titles()).toEqual(new Map());
  await change(slug, { status: 'active' });
  expect(await titles()).toEqual(new Map());
});

it('collects posts for a digest, and sends it at eight in the morning', async () => {
  await subscribe('ann');
  settings = { ...EACH, rhythm: 'weekly' };
  // Begins at the time of a digest, so that the next one is not due during the test.
  clock = nextDigest('weekly', clock, 'UTC');
  const [one, two] = [await publish('One'), await publish('Two')];
  await start();
  await expect.poll(async () => (await stateOf(two))?.slugs).toEqual([one, two]);
  const due = nextDigest('weekly', now(), 'UTC');
  expect(Date.parse((await stateOf(one))?.dueAt ?? '')).toBe(due);
  pass(due - now());
  await ended(one);
  expect(subjectsTo('ann')).toEqual(['One, Two']);
});

it('tries again where the server defers a mail, and gives up after a day', async () => {
  await subscribe('ann', 'bob');
  mail.answer = (to) => (to.startsWith('ann') ? smtpError(451, '4.7.1 Later') : undefined);
  const slug = await publish('Deferred');
  await start();
  await ended(slug);
  expect(await stateOf(slug)).toMatchObject({ sent: 1, failed: 0 });
  mail.answer = () => undefined;
  pass(16 * MINUTE);
  await expect.poll(() => subjectsTo('ann')).toEqual(['Deferred']);
  await expect.poll(() => stateOf(slug)).toMatchObject({ sent: 2, failed: 0 });
  mail.answer = (to) => (to.startsWith('ann') ? smtpError(451, '4.7.1 Later') : undefined);
  const other = await publishNow('Never');
  await ended(other);
  pass(2 * DAY);
  await expect
    .poll(() => stateOf(other))
    .toMatchObject({ sent: 1, failed: 1, faults: { 'EENVELOPE RCPT TO 451 4.7.1': 1 } });
});

it('sends nothing more to an address that three issues could not reach', async () => {
  await subscribe('ann', 'bob');
  mail.answer = (to) => (to.startsWith('ann') ? smtpError(550, '5.1.1 Unknown') : undefined);
  await start();
  for (const title of ['One', 'Two', 'Three', 'Four']) await ended(await publishNow(title));
  expect((await subscribers().find(subscriberId('ann@example.com')))?.state).toBe('resting');
  expect((await issues().newest(1))[0]).toMatchObject({ sent: 1, failed: 0 });
  expect(subjectsTo('bob')).toEqual(['One', 'Two', 'Three', 'Four']);
});

it('waits while the owner pauses an issue, and goes on where it was', async () => {
  await subscribe('ann', 'bob', 'eve');
  settings = { ...EACH, perHour: 1 };
  const slug = await publish('Paused');
  await start();
  await expect.poll(async () => (await stateOf(slug))?.sent).toBe(1);
  const { id = '' } = (await stateOf(slug)) ?? {};
  await issues().setState(id, ['sending'], 'paused');
  settings = EACH;
  await sender?.stop();
  const before = mail.received.length;
  await start();
  await ended(await publishNow('Meanwhile'));
  expect(mail.received.filter(({ email }) => email.subject === 'Paused').length).toBe(before);
  await issues().setState(id, ['paused'], 'sending');
  sender?.look();
  await ended(slug);
  for (const name of ['ann', 'bob', 'eve'])
    expect(subjectsTo(name).filter((each) => each === 'Paused')).toHaveLength(1);
});

it('goes on after the mail server was away', async () => {
  await subscribe('ann');
  mail.answer = () => smtpError(421, '4.3.2 Away');
  const slug = await publish('Waits');
  await start();
  await expect.poll(() => mail.offered.length).toBeGreaterThan(0);
  mail.answer = () => undefined;
  pass(16 * MINUTE);
  await expect.poll(() => subjectsTo('ann')).toEqual(['Waits']);
  await ended(slug);
});

it('sends nothing to people who leave, and nothing of a post whose tick is cleared, while it is sent', async () => {
  const names = ['ann', 'bob', 'eve', 'kim'];
  await subscribe(...names);
  settings = { ...EACH, perHour: 1 };
  const slug = await publish('Under way');
  await start();
  await expect.poll(async () => (await stateOf(slug))?.sent).toBe(1);
  const [first = ''] = mail.received[0]?.to ?? [];
  for (const name of names) {
    const address = `${name}@example.com`;
    if (address !== first && address !== 'kim@example.com') await subscribers().leave(subscriberId(address));
  }
  settings = EACH;
  sender?.look();
  await ended(slug);
  const reached = mail.received.map(({ to: [address] }) => address);
  expect(new Set(reached)).toEqual(new Set([first, 'kim@example.com']));
  settings = { ...EACH, delay: 10 };
  const cleared = await publishNow('Cleared');
  await expect.poll(() => stateOf(cleared)).toBeDefined();
  await change(cleared, { newsletter: null });
  pass(11 * MINUTE);
  await ended(cleared);
  expect(await stateOf(cleared)).toMatchObject({ state: 'cancelled', sent: 0 });
});

it('sends a member’s post past any number of posts of others, and a digest of any length', async () => {
  await subscribe('ann');
  const fields = { content: '<p>a</p>', featuredImage: '', status: 'active', newsletter: 'send' };
  const many = (count: number, name: string, userId: string, owner = userId) =>
    databases.createDocuments({
      ...{ databaseId, collectionId: 'articles' },
      documents: Array.from({ length: count }, (_, n) => ({
        ...{ $id: `${name}-${n}`, title: name, userId, ...fields },
        $permissions: ['read("any")', `update("user:${owner}")`],
      })),
    });
  await many(60, 'foreign', 'stranger');
  await many(60, 'forged', 'ada', 'stranger');
  settings = { ...EACH, rhythm: 'daily' };
  clock = nextDigest('daily', clock, 'UTC');
  await many(100, 'long', 'ada');
  await many(1, 'last', 'ada');
  await start();
  await expect.poll(async () => (await stateOf('last-0'))?.slugs.length).toBe(101);
  pass(nextDigest('daily', now(), 'UTC') - now());
  await ended('last-0');
  expect(subjectsTo('ann')).toEqual([[...Array(100).fill('long'), 'last'].join(', ')]);
});

it('takes an address in both spellings of its domain for one subscriber, and two imports at once', async () => {
  const lists = ['a@bücher.example', 'a@xn--bcher-kva.example'].map((spelling) => [spelling, 'b@example.com']);
  const counts = await Promise.all(lists.map((list) => subscribers().importAll(list.map((address) => ({ address })))));
  expect(counts.reduce((sum, { added }) => sum + added, 0)).toBe(2);
});

it('keeps the links of mails for people who come back', async () => {
  await subscribe('ann');
  const id = subscriberId('ann@example.com');
  const before = await subscribers().find(id);
  await subscribers().leave(id);
  await subscribe('ann');
  expect(await subscribers().find(id)).toMatchObject({ state: 'active', secret: before?.secret });
});

it('does not bring back a person who leaves while their mail is refused', async () => {
  await subscribe('ann');
  const id = subscriberId('ann@example.com');
  const before = await subscribers().find(id);
  await subscribers().leave(id);
  if (before) await subscribers().settle(id, { failures: 3, state: 'resting' });
  expect(await subscribers().find(id)).toMatchObject({ state: 'left', address: '', failures: 0 });
});

it('goes on to the others where the connection breaks at one recipient', async () => {
  const names = ['ann', 'bob', 'eve'];
  await subscribe(...names);
  const [first] = names.toSorted((one, other) =>
    subscriberId(`${one}@example.com`).localeCompare(subscriberId(`${other}@example.com`)),
  );
  mail.answer = (to) => (to.startsWith(`${first}`) ? 'drop' : undefined);
  const slug = await publish('Broken');
  await start();
  for (let attempt = 1; attempt <= 3; attempt++) {
    await expect.poll(() => mail.offered.filter((to) => to.startsWith(`${first}`)).length).toBe(attempt);
    sender?.look();
  }
  await ended(slug);
  expect(await stateOf(slug)).toMatchObject({ sent: 2, failed: 0 });
});

it('leaves the sending to the process that holds the lock', async () => {
  await subscribe('ann');
  const other = openLock(site.target, 'other', now);
  expect(await other.hold()).toBe(true);
  const slug = await publish('Held');
  await start();
  sender?.look();
  expect(await openLock(site.target, 'this', now).hold()).toBe(false);
  expect(await stateOf(slug)).toBeUndefined();
  pass(2 * MINUTE);
  await ended(slug);
  expect(subjectsTo('ann')).toEqual(['Held']);
  expect(await other.hold()).toBe(false);
});

it('tries a deferred mail again while another issue is sent, once its own is no longer paused', async () => {
  await subscribe('ann');
  mail.answer = () => smtpError(451, '4.7.1 Later');
  const slug = await publish('Deferred');
  await start();
  await ended(slug);
  mail.answer = () => undefined;
  const { id = '' } = (await stateOf(slug)) ?? {};
  await issues().setState(id, ['done'], 'paused');
  await subscribers().importAll(Array.from({ length: 30 }, (_, n) => ({ address: `reader${n}@example.com` })));
  clock += 16 * MINUTE;
  await ended(await publishNow('Meanwhile'));
  expect(subjectsTo('ann')).toEqual(['Meanwhile']);
  await issues().setState(id, ['paused'], 'done');
  const long = await publishNow('Long');
  await expect.poll(() => mail.received.some(({ email }) => email.subject === 'Long')).toBe(true);
  clock += 16 * MINUTE;
  await ended(long);
  const subjects = mail.received.map(({ email }) => email.subject);
  expect(subjects.filter((subject) => subject === 'Deferred')).toHaveLength(1);
  expect(subjects.indexOf('Deferred')).toBeLessThan(subjects.lastIndexOf('Long'));
});

it('sends nothing while the newsletter is off', async () => {
  await subscribe('ann');
  settings = undefined;
  const slug = await publish('Off');
  await start();
  sender?.look();
  settings = EACH;
  expect(await stateOf(slug)).toBeUndefined();
  sender?.look();
  await ended(slug);
});

it('keeps no address in plain text, and none in the log', async () => {
  await subscribe('secret.person');
  mail.answer = () => smtpError(550, '5.1.1 no secret.person@example.com');
  const slug = await publish('Refused');
  await start();
  await ended(slug);
  const stored = await databases.listDocuments({ databaseId, collectionId: 'subscribers' });
  expect(JSON.stringify([stored, await stateOf(slug), logged])).not.toMatch(/secret\.person/i);
});
