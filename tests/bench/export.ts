/**
 * `npm run bench -- export [--posts 10000] [--tags 300] [--folder DIR]`: exports an entire site, measures the time
 * until an edit is exported, both by a second run and by `--watch`, and compares the exported files with the server's
 * answers (`diff -r`). `--folder` keeps the site and its export in DIR, so that the next run can reuse them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { dirname, join } from 'node:path';
import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { fixedPaths } from '#blog/routes/table.ts';
import { NOTES } from '#export/folder.ts';
import { article } from '../attack/cost/texts.ts';
import { picture } from '../e2e/pictures.ts';
import { ARTICLES, type RunningSite, type Writer } from '../e2e/site.ts';
import { createPosts } from '../support/bulk-posts.ts';
import { runCommand, startCommand } from './command.ts';
import { median } from './figures.ts';
import { type FilledSite, onFilledSite } from './filled-site.ts';
import { optionsOf } from './options.ts';
import { Report } from './report.ts';
import { tagsAt } from './tagged.ts';

/** All posts share these pictures, because the bench doesn't measure resizing. */
const PICTURES = 20;
const EDITS = 9;
const SITE_URL = 'https://blog.example.com';

/** Returns about 5 KB of text. */
const content = (n: number): string => article(5000, n);

async function fill(site: RunningSite, writer: Writer, count: number, tags: number): Promise<void> {
  const files: string[] = [];
  for (let i = 0; i < PICTURES; i++) files.push(await site.upload(writer, await picture(), `picture-${i}.png`));
  await createPosts(site.admin(), writer.id, count, (n) => ({
    title: `Post ${n} on paper and ink`,
    content: content(n),
    featuredImage: files[n % PICTURES],
    ...(tags > 0 && { tags: tagsAt(n, tags) }),
  }));
}

const environmentOf = (site: RunningSite) => ({
  SITE_URL,
  PORT: new URL(site.url).port,
  DATA_DIR: site.dataDirectory,
  EMBEDDED_RATE_LIMITS: 'off',
});

const exportNow = (site: RunningSite, directory: string) => runCommand('export', [directory], environmentOf(site));

/** Starts an export with `--watch`; `next` resolves when it prints its next report. */
async function startWatching(site: RunningSite, directory: string) {
  const { child, ended, said, until } = startCommand('export', [directory, '--watch'], environmentOf(site));
  const end = ended.then(() => Promise.reject(new Error(`The watching export ended.\n${said()}`)));
  await Promise.race([until(/Watching .*\n/), end]);
  return { child, ended, next: () => Promise.race([until(/ posts on .*\n/, said().length), end]) };
}

/** Returns each exported file that the server also sends, with its path and content coding. */
async function served(directory: string): Promise<{ file: string; path: string; coding: string }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((name) => {
    const file = name.slice(directory.length + 1);
    if (file.startsWith(`${NOTES}/`) || /^_(?:headers|redirects)$/.test(file)) return [];
    // Skips files only static hosts use: error pages, the shell of /edit-post/x, the search index, resized pictures.
    if (/(?:^|\/)404\.html|^edit-post\/|^search(?:-index)?\/|^v1\//.test(file)) return [];
    const [, plain = file, ending] = /^(.*?)(?:\.(br|gz))?$/.exec(file) ?? [];
    const coding = ending === 'gz' ? 'gzip' : (ending ?? 'identity');
    // The server sends built files uncompressed; only the export has compressed versions of them.
    const isIsland = fixedPaths('island').some((path) => `/${plain}`.startsWith(`${path}/`));
    const isPage = !plain.startsWith('_astro/') && plain !== 'favicon.svg' && !isIsland;
    if (!isPage && coding !== 'identity') return [];
    const path = `/${plain.replace(/(?:^|\/)index\.html$/, '')}`;
    return [{ file, path, coding }];
  });
}

async function download(
  site: RunningSite,
  list: readonly { file: string; path: string; coding: string }[],
  to: string,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (path: string, coding: string) =>
    new Promise<Buffer>((resolve, reject) => {
      get(site.url + path, { agent, headers: { 'accept-encoding': coding } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => resolve(Buffer.concat(chunks)));
      }).on('error', reject);
    });
  const rest = list.values();
  const worker = async () => {
    for (const { file, path, coding } of rest) {
      await mkdir(dirname(join(to, file)), { recursive: true });
      await writeFile(join(to, file), await ask(path, coding));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  agent.destroy();
}

async function compare(site: RunningSite, directory: string, folder: string): Promise<void> {
  const list = await served(directory);
  const posts = list.filter(({ file }) => /^post\/[^/]+\/index\.html$/.test(file)).length;
  const [here, there] = [join(folder, 'exported'), join(folder, 'served')];
  for (const left of [here, there]) await rm(left, { recursive: true, force: true });
  await download(site, list, there);
  // Copies the same files from the export next to the downloads.
  for (const { file } of list) await cp(join(directory, file), join(here, file));
  const { status, stdout } = spawnSync('diff', ['-rq', here, there], { encoding: 'utf8' });
  console.log(
    `diff -r of ${list.length} exported files (${posts} posts) and what the server sends: ${status === 0 ? 'equal' : `DIFFERENT\n${stdout.slice(0, 2000)}`}`,
  );
  if (status !== 0) process.exitCode = 1;
}

async function edits(report: Report, { site, writer }: FilledSite, directory: string, count: number): Promise<void> {
  await exportNow(site, directory);
  const databases = new Databases(site.as(writer));
  const edit = (documentId: string) => {
    const words = `Edited at ${new Date().toISOString()}.`;
    return databases.updateDocument({ ...ARTICLES, documentId, data: { content: `<p>${words}</p>${content(1)}` } });
  };
  await edit(`post-${Math.floor(count / 2)}`);
  const { seconds } = await exportNow(site, directory);
  report.line('an edit, the command run again', seconds, { most: 3 }, 's');

  const watching = await startWatching(site, directory);
  try {
    const times: number[] = [];
    for (let i = 0; i < EDITS; i++) {
      const next = watching.next();
      await edit(`post-${Math.floor((count * (i + 1)) / (EDITS + 2))}`);
      const begun = performance.now();
      await next;
      times.push(performance.now() - begun);
    }
    report.line('an edit under --watch, from its answer to the last file, median', median(times), { most: 3000 }, 'ms');
    const documentId = `post-${Math.floor(count / 3)}-${Date.now()}`;
    const data = { title: documentId, content: content(2), featuredImage: '', status: 'active', userId: writer.id };
    const permissions = postPermissions('active', writer.id);
    const work = {
      published: () => databases.createDocument({ ...ARTICLES, documentId, data, permissions }),
      deleted: () => databases.deleteDocument({ ...ARTICLES, documentId }),
    };
    for (const [done, write] of Object.entries(work)) {
      const next = watching.next();
      await write();
      await next;
      const isThere = existsSync(join(directory, 'post', documentId));
      if (isThere !== (done === 'published'))
        throw new Error(`The post that was ${done} is ${isThere ? '' : 'not '}there.`);
    }
  } finally {
    watching.child.kill('SIGTERM');
    await watching.ended;
  }
}

const { posts: count, tags, folder } = optionsOf({ posts: 10_000, tags: 0, folder: '' });
await onFilledSite(
  folder,
  { SITE_URL },
  (site, writer) => fill(site, writer, count, tags),
  async (filled) => {
    const directory = join(filled.folder, 'www');
    if (!existsSync(directory)) await exportNow(filled.site, directory);
    const report = new Report();
    await edits(report, filled, directory, count);
    await compare(filled.site, directory, filled.folder);
    report.end();
  },
);
