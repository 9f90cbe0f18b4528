/**
 * `npm run bench -- backup [--posts 10000] [--megabytes 2048] [--folder DIR]`: measures the memory that a backup of a
 * large site takes while readers load its pages. --folder keeps the site in DIR and reuses it.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { picture } from '../e2e/pictures.ts';
import type { RunningSite, Writer } from '../e2e/site.ts';
import { createPosts } from '../support/bulk-posts.ts';
import { runCommand } from './command.ts';
import { onFilledSite } from './filled-site.ts';
import { optionsOf } from './options.ts';
import { reading, told } from './readers.ts';
import { Report } from './report.ts';

const MEGABYTE = 1024 * 1024;
/** Size of each picture, close to the largest that the site accepts. */
const FILE_MEGABYTES = 8;

async function fill(site: RunningSite, writer: Writer, posts: number, megabytes: number): Promise<void> {
  const start = await picture();
  const files: string[] = [];
  for (let n = 0; n < megabytes / FILE_MEGABYTES; n++) {
    const bytes = Buffer.concat([start, randomBytes(FILE_MEGABYTES * MEGABYTE - start.length)]);
    files.push(await site.upload(writer, bytes, `picture-${n}.png`));
  }
  await createPosts(site.admin(), writer.id, posts, (n) => ({
    title: `Post ${n}`,
    content: `<p>${`Some words of post ${n} on paper and ink. `.repeat(120)}</p>`,
    featuredImage: files[n % files.length] ?? '',
  }));
}

const { posts, megabytes, folder: kept } = optionsOf({ posts: 10_000, megabytes: 2048, folder: '' });
await onFilledSite(
  kept,
  { UPLOAD_QUOTA_MB: '0' },
  (site, writer) => fill(site, writer, posts, megabytes),
  async ({ site, folder }) => {
    await reading(site, sleep(2000));
    const before = await reading(site, sleep(10_000));
    const file = join(folder, 'backup.zip');
    const backup = runCommand('backup', [file], { DATA_DIR: site.dataDirectory });
    const during = await reading(site, backup);
    const report = new Report();
    const more = (await backup).peakMiB + during.most - before.most;
    report.line('memory of the command and of the server, more than before', more, { most: 150 }, 'MiB');
    report.line('failed reads', during.failed, { most: 0 });
    report.note(`Before: ${told(before)} Meanwhile: ${told(during)}`);
    report.end();
    await rm(file);
  },
);
