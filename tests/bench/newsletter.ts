/**
 * `npm run bench -- newsletter [--subscribers 10000]`: sends a post to many subscribers while readers load pages, with
 * bounds on the server's memory and the readers' waits; then pauses and resumes an issue.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer } from 'embedded-appwrite/testing';
import { openIssues } from '#backend/newsletter/issues.ts';
import { openSubscribers } from '#backend/newsletter/subscribers.ts';
import { asWriter, member } from '../e2e/members.ts';
import { ownSite, removeSite } from '../e2e/site.ts';
import { createPosts } from '../support/bulk-posts.ts';
import { residentMiB } from '../support/process-usage.ts';
import { quantile } from './figures.ts';
import { optionsOf } from './options.ts';
import { reading } from './readers.ts';
import { Report } from './report.ts';

const NEWSLETTER = { rhythm: 'each', contact: 'Ink', perMinute: 6000, delay: 0 };

const { subscribers: count } = optionsOf({ subscribers: 10_000 });
const report = new Report();
const mail = await startMailServer();
const site = await ownSite({ smtpPort: mail.port });
try {
  const owner = await member(site, 'owner', 'Olga');
  await createPosts(site.admin(), owner.id, 50, (n) => ({
    title: `Post ${n}`,
    content: `<p>${`Some words of post ${n} on paper and ink. `.repeat(120)}</p>`,
  }));
  await openSubscribers(site.target).importAll(
    Array.from({ length: count }, (_, n) => ({ address: `r${n}@example.com` })),
  );
  // Reads for two seconds without measuring, so that the pages are rendered and stored.
  await reading(site, sleep(2000));
  const settings = { base: 0, settings: { newsletter: NEWSLETTER } };
  await asWriter(site, owner, '/api/settings', settings);

  const issues = openIssues(site.target);
  const state = async (slug: string) => (await issues.newest(9)).find(({ slugs }) => slugs.includes(slug));
  const ended = async (slug: string) => {
    while ((await state(slug))?.state !== 'done') await sleep(250);
  };
  const before = residentMiB(site.pid as number);
  await site.publishText(owner, 'Sent', 'sent');
  await site.update('sent', { newsletter: 'send' });
  const sending = ended('sent');
  const busy = await reading(site, sending);
  report.line('mails', mail.received.length, { least: count });
  report.line('mails sent twice', mail.received.length - count, { most: 0 });
  report.line('memory more than before', busy.most - before, { most: 100 }, 'MiB');
  // The newsletter is sent at full speed, which is hundreds of times the default.
  report.line('p99 of readers while it is sent', quantile(busy.waits, 0.99), { most: 50 }, 'ms');
  report.line('failed reads', busy.failed, { most: 0 });

  await site.publishText(owner, 'Paused', 'paused');
  await site.update('paused', { newsletter: 'send' });
  while (((await state('paused'))?.sent ?? 0) < 20) await sleep(50);
  const { id = '' } = (await state('paused')) ?? {};
  await asWriter(site, owner, '/api/newsletter', { action: 'pause', id });
  await sleep(1000);
  const stopped = mail.received.length;
  await sleep(3000);
  report.line('mails after a press on pause', mail.received.length - stopped, { most: 0 });
  await asWriter(site, owner, '/api/newsletter', { action: 'resume', id });
  while (mail.received.length < stopped + 20) await sleep(50);
  await asWriter(site, owner, '/api/newsletter', { action: 'cancel', id });
} finally {
  await removeSite(site);
  await mail.stop();
}
report.end();
process.exit();
