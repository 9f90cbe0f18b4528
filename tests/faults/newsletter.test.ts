/** Kills the site with kill -9 while it sends an issue. All subscribers get it; a kill duplicates at most one email. */
import { setTimeout as wait } from 'node:timers/promises';
import { startMailServer } from 'embedded-appwrite/testing';
import { Databases } from 'node-appwrite';
import { expect, test, vi } from 'vitest';
import { openSubscribers } from '#backend/newsletter/subscribers.ts';
import { postPermissions } from '#blog/permissions.ts';
import { SETTINGS_ID } from '#blog/site-settings/stored.ts';
import { member } from '../e2e/members.ts';
import { createRandom } from './random.ts';
import { settings } from './settings.ts';
import { POSTS, started } from './tools.ts';

const KILLS = settings.rounds;
const SUBSCRIBERS = 10 * KILLS;
vi.setConfig({ testTimeout: 900_000 + KILLS * 10_000 });
const NEWSLETTER = { rhythm: 'each', contact: 'Ink', perMinute: 6000, delay: 0 };

test(`an issue survives ${KILLS} kills while it is sent`, async () => {
  const mail = await startMailServer();
  const site = await started({ smtpPort: mail.port });
  const owner = await member(site, 'owner', 'Olga');
  const random = createRandom(settings.seed);
  const addresses = Array.from({ length: SUBSCRIBERS }, (_, n) => `reader${n}@example.com`);
  await openSubscribers(site.target).importAll(addresses.map((address) => ({ address })));
  const databases = new Databases(site.admin());
  const data = { settings: JSON.stringify({ newsletter: NEWSLETTER }), userId: owner.id };
  await databases.createDocument({ ...POSTS, collectionId: SETTINGS_ID, documentId: 'v0000000001', data });
  const post = { title: 'Killed', content: '<p>a</p>', featuredImage: '', status: 'active', userId: owner.id };
  await databases.createDocument({
    ...{ ...POSTS, documentId: 'killed', permissions: postPermissions('active', owner.id) },
    data: { ...post, newsletter: 'send' },
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = Math.min(mail.received.length + random.integer(1, 15), SUBSCRIBERS);
    await expect.poll(() => mail.received.length, { interval: 5 }).toBeGreaterThanOrEqual(goal);
    await wait(random.integer(0, 10));
    await site.stop('SIGKILL');
    await site.start();
  }
  const state = async () => (await databases.listDocuments({ ...POSTS, collectionId: 'newsletter-issues' })).documents;
  await expect.poll(async () => (await state())[0]?.state, { timeout: 180_000 }).toBe('done');
  const counts = new Map<string, number>();
  for (const { to } of mail.received) for (const each of to) counts.set(each, (counts.get(each) ?? 0) + 1);
  expect(addresses.filter((address) => !counts.has(address))).toEqual([]);
  const doubles = mail.received.length - SUBSCRIBERS;
  if (settings.verbose) console.log(`${doubles} of ${mail.received.length} mails were sent twice, in ${KILLS} kills.`);
  expect(doubles).toBeLessThanOrEqual(KILLS);
  await mail.stop();
});
