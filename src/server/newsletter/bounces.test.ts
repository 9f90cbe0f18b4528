import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startMailServer } from 'embedded-appwrite/testing';
import { Databases, ID } from 'node-appwrite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openIssues } from '#backend/newsletter/issues.ts';
import { returnPaths } from '#backend/newsletter/return-paths.ts';
import { openSubscribers, subscriberId } from '#backend/newsletter/subscribers.ts';
import { serverClient } from '#backend/target.ts';
import { person } from '../../../tests/support/people.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { readConfiguration } from '../configuration.ts';
import type { RepeatedJob } from '../jobs/every.ts';
import { appearanceOf } from '../site/appearance.ts';
import { startBounces } from './bounces.ts';
import { openNewsletter } from './newsletter.ts';
import { ANN, EXIM, GMAIL, POSTFIX } from './testing.ts';

const ADDRESS = 'bounces@example.com';
const DATABASE = { databaseId: 'blog' };

const site = await sharedSite();
let maildir: string;
let bounces: RepeatedJob | undefined;
let logged: string[];
let delivered = 0;

const subscribers = () => openSubscribers(site.target);
const databases = () => new Databases(serverClient(site.target));
const ann = () => subscribers().find(subscriberId(ANN));
const log = (level: string, message: string) => void logged.push(`${level}: ${message}`);
const pathOf = (failures: number) => returnPaths(site.target.apiKey, ADDRESS).of({ id: subscriberId(ANN), failures });

beforeEach(async () => {
  [logged, maildir] = [[], await mkdtemp(join(site.folder, 'maildir-'))];
  for (const folder of ['tmp', 'new', 'cur']) await mkdir(join(maildir, folder));
  await subscribers().activate(ANN, 'form');
});
afterEach(async () => {
  await bounces?.stop();
  bounces = undefined;
});

const filesIn = (folder: string) => readdir(join(maildir, folder));
async function deliver(mail: string, folder = 'new'): Promise<string> {
  delivered++;
  const name = `17150000${delivered}.M20046P${delivered}.mx`;
  // Writes to `tmp` first, as mail servers do, so that the job never reads a file that is still empty.
  await writeFile(join(maildir, 'tmp', name), mail);
  await rename(join(maildir, 'tmp', name), join(maildir, folder, folder === 'cur' ? `${name}:2,` : name));
  return name;
}
const start = () => {
  const paths = returnPaths(site.target.apiKey, ADDRESS);
  return startBounces({ directory: maildir, subscribers: subscribers(), log, returnPaths: paths });
};
/** Delivers these emails, waits until the job has read them, and returns the subscriber. */
async function readAll(...mails: string[]) {
  for (const mail of mails) await deliver(mail);
  bounces ??= start();
  // A run reads files in any order, so only the second letter, which a later run reads, proves that `mails` were read.
  for (const text of ['One letter.', 'Another letter.']) {
    const letter = `${await deliver(`Subject: Hello\n\n${text}\n`)}:2,`;
    await expect
      .poll(() => {
        bounces?.wake(0);
        return filesIn('cur');
      })
      .toContain(letter);
    await rm(join(maildir, 'cur', letter));
  }
  return ann();
}

const NOTIFICATIONS = { Postfix: POSTFIX, Exim: EXIM, Gmail: GMAIL };
it.each(Object.entries(NOTIFICATIONS))('counts a bounce that %s wrote, and deletes it', async (_, notification) => {
  expect(await readAll(notification(pathOf(0)))).toMatchObject({ failures: 1, state: 'active' });
  expect([await filesIn('new'), await filesIn('cur')]).toEqual([[], []]);
});

it('lets an address rest after the third bounce in a row', async () => {
  for (const failures of [0, 1, 2]) {
    expect(await ann()).toMatchObject({ failures, state: 'active' });
    await readAll(POSTFIX(pathOf(failures)));
  }
  expect(await ann()).toMatchObject({ failures: 3, state: 'resting' });
});

it('counts several notifications about one mail once', async () => {
  const notifications = [POSTFIX, EXIM, GMAIL].map((notification) => notification(pathOf(0)));
  expect((await readAll(...notifications))?.failures).toBe(1);
});

it('counts a bounce whose address a mail server wrote in capitals', async () => {
  expect((await readAll(GMAIL(pathOf(0).toUpperCase())))?.failures).toBe(1);
});

it.each([
  ['a delay', 'delayed', '4.4.1'],
  ['a failure that may pass', 'failed', '4.4.7'],
  ['a delivery', 'delivered', '2.0.0'],
])('does not count %s', async (_, action, status) => {
  expect((await readAll(POSTFIX(pathOf(0), action, status)))?.failures).toBe(0);
  expect([await filesIn('new'), await filesIn('cur')]).toEqual([[], []]);
});

const id = subscriberId(ANN);
it.each([
  ['a forged address', POSTFIX(`bounces+${id}.0.0123abcd@example.com`)],
  ['an address without a code', POSTFIX(`bounces+${id}.0@example.com`)],
  ['an address of another site', POSTFIX(returnPaths('standard_another-key', ADDRESS).of({ id, failures: 0 }))],
  ['a foreign address', EXIM('someone@example.com')],
  ['no such address at all', POSTFIX('')],
])('leaves a notification to %s in the mailbox', async (_, mail) => {
  const name = await deliver(mail);
  expect((await readAll())?.failures).toBe(0);
  expect(await readFile(join(maildir, 'cur', `${name}:2,`), 'utf8')).toBe(mail);
});

it('leaves other mail in the mailbox, also a reply to a return path', async () => {
  const reply = `To: ${pathOf(0)}\nSubject: Away\nContent-Type: text/plain\n\nAction: failed\nStatus: 5.1.1\n`;
  const cut = POSTFIX(pathOf(0)).slice(0, 700);
  const names = [await deliver(reply), await deliver(cut), await deliver(''), await deliver('\0'.repeat(2_000_000))];
  expect((await readAll())?.failures).toBe(0);
  expect((await filesIn('cur')).sort()).toEqual(names.map((name) => `${name}:2,`).sort());
});

it('reads a mail that a mail client has moved, and a mail that it leaves only once', async () => {
  await deliver(POSTFIX(pathOf(0)), 'cur');
  const name = await deliver(EXIM('someone@example.com'));
  expect(await readAll()).toMatchObject({ failures: 1 });
  await rename(join(maildir, 'cur', `${name}:2,`), join(maildir, 'cur', `${name}:2,S`));
  await writeFile(join(maildir, 'cur', `${name}:2,S`), POSTFIX(pathOf(1)));
  expect(await readAll()).toMatchObject({ failures: 1 });
});

it('does not read a file before it is complete', async () => {
  const name = await deliver(POSTFIX(pathOf(0)), 'tmp');
  expect((await readAll())?.failures).toBe(0);
  expect(await filesIn('tmp')).toEqual([name]);
  await rename(join(maildir, 'tmp', name), join(maildir, 'new', name));
  expect((await readAll())?.failures).toBe(1);
});

it('reports a mailbox that it cannot read once, and reads it when it is back', async () => {
  await rename(maildir, `${maildir}-away`);
  bounces = start();
  for (let run = 0; run < 3; run++) {
    bounces.wake(0);
    await expect.poll(() => logged).toEqual(['warn: Bounces in MAIL_BOUNCES cannot be read or removed: ENOENT']);
  }
  await rename(`${maildir}-away`, maildir);
  expect((await readAll(POSTFIX(pathOf(0))))?.failures).toBe(1);
});

it('counts nothing for readers who left or were deleted', async () => {
  await subscribers().leave(id);
  expect(await readAll(POSTFIX(pathOf(0)))).toMatchObject({ failures: 0, state: 'left' });
  await subscribers().forget(id);
  expect(await readAll(POSTFIX(pathOf(0)))).toBeUndefined();
  expect(await filesIn('new')).toEqual([]);
});

it('writes addresses neither into the log nor into the database', async () => {
  await readAll(POSTFIX(pathOf(0)), EXIM(`bounces+${id}.0.0123abcd@example.com`));
  const stored = await databases().listDocuments({ ...DATABASE, collectionId: 'subscribers' });
  expect(logged).toEqual(['info: Newsletter mails that bounced: 1.']);
  expect(JSON.stringify([stored, logged])).not.toMatch(/ann\.reader|elsewhere|bounces\+/i);
});

it('lets an address rest whose mails are accepted first and come back later', async () => {
  const mail = await startMailServer();
  const configuration = readConfiguration({
    ...{ DATA_DIR: join(site.folder, 'data'), APPWRITE_ENDPOINT: site.target.endpoint },
    ...{ APPWRITE_API_KEY: site.target.apiKey, SMTP_HOST: '127.0.0.1', SMTP_PORT: `${mail.port}`, SMTP_SECURE: 'none' },
    ...{ MAIL_FROM: 'blog@example.com', MAIL_BOUNCES: maildir, MAIL_BOUNCE_ADDRESS: ADDRESS },
  });
  const newsletter = { rhythm: 'each', contact: 'Ink', perMinute: 6000, delay: 0 } as const;
  const look = appearanceOf(configuration, { newsletter });
  const open = () => openNewsletter(configuration, { appearance: () => look, log });
  const { id: userId } = await person(site, 'owner');
  let running = open();
  running?.start();
  for (const failures of [1, 2, 3]) {
    const post = { title: `Post ${failures}`, content: '<p>Words.</p>', featuredImage: '', userId };
    await databases().createDocument({
      ...{ ...DATABASE, collectionId: 'articles', documentId: ID.unique() },
      permissions: ['read("any")', `update("user:${userId}")`],
      data: { ...post, status: 'active', newsletter: 'send' },
    });
    running?.look();
    const { from } = await mail.mailTo(ANN);
    // The mail server's acceptance resets the failure count before the bounce arrives.
    await expect.poll(() => openIssues(site.target).unfinished()).toEqual([]);
    await expect.poll(async () => (await ann())?.failures).toBe(0);
    await deliver(POSTFIX(from));
    await running?.stop();
    running = open();
    running?.start();
    await expect.poll(async () => (await ann())?.failures).toBe(failures);
  }
  expect((await ann())?.state).toBe('resting');
  await running?.stop();
  await mail.stop();
});
