/**
 * `npm run bench -- sync [--rounds 15] [--idle 60] [--files 200,10000]`: for each number of files, syncs a folder with
 * a running site and watches the folder. Measures the median times from saving a file until the public page changes and
 * from publishing in the browser until the file changes, and the share of one processor that the command uses in `idle`
 * seconds without a change.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownSite, type RunningSite, type Writer } from '../e2e/site.ts';
import { createPosts } from '../support/bulk-posts.ts';
import { processorSeconds } from '../support/process-usage.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { median } from './figures.ts';
import { buildIfStale } from './filled-site.ts';
import { optionsOf } from './options.ts';
import { Report } from './report.ts';

const { rounds, idle, files } = optionsOf({ rounds: 15, idle: 60, files: '200,10000' });
const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'sync.ts');
const QUIET_MS = 30_000;
const SENTENCE = 'The compositor sets the line, reads it upside down and from left to right, and locks it with care.';

buildIfStale();
const report = new Report();
for (const count of files.split(',').map(Number)) {
  await using site = await ownSite({});
  using folder = temporaryFolder();
  await benchFolder(site, folder.path, count);
}
report.end();
process.exit();

async function benchFolder(site: RunningSite, directory: string, files: number): Promise<void> {
  const writer = await site.writer();
  const content = `<p>Of ink.</p>${`<p>${SENTENCE}</p>`.repeat(8)}`;
  await createPosts(site.admin(), writer.id, files, (n) => ({ title: `Note ${n}`, content }));
  const begun = performance.now();
  const env = { ...process.env, ...site.environment };
  const { child, ended, said, until } = startProgram(process.execPath, [SCRIPT, directory, '--watch'], { env });
  try {
    await Promise.race([until(/Watching/), ended.then(() => Promise.reject(new Error(said())))]);
    report.note(`${files} files synced for the first time in ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
    // Warms up the watch with one change in each direction.
    await toPage(site, directory, 'warm');
    await toFile(site, directory, writer, 'warm');
    const [saves, publishes]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      saves.push(await toPage(site, directory, `r${round}`));
      publishes.push(await toFile(site, directory, writer, `r${round}`));
    }
    report.line(`${files} files, saved file to public page, median`, median(saves), { most: 2 }, 's');
    report.line(`${files} files, publish in the browser to file, median`, median(publishes), { most: 2 }, 's');
    report.note(`slowest: ${Math.max(...saves).toFixed(2)} s and ${Math.max(...publishes).toFixed(2)} s`);
    // Waits until the command's regular checks for changed drafts have found the last writes.
    await sleep(QUIET_MS);
    const pid = child.pid as number;
    const before = processorSeconds(pid);
    await sleep(idle * 1000);
    const share = ((processorSeconds(pid) - before) / idle) * 100;
    report.line(`${files} files, processor while idle`, share, { most: 0.2 }, '%');
  } finally {
    child.kill('SIGINT');
  }
}

async function toPage(site: RunningSite, directory: string, mark: string): Promise<number> {
  const file = join(directory, 'posts/post-7.md');
  await writeFile(file, `${await readFile(file, 'utf8')}\nSaved ${mark}.\n`);
  return secondsUntil(async () => (await site.text('/post/post-7')).includes(`Saved ${mark}.`));
}

async function toFile(site: RunningSite, directory: string, writer: Writer, mark: string): Promise<number> {
  await site.update('post-9', { content: `<p>Published ${mark}.</p>` }, writer);
  const file = join(directory, 'posts/post-9.md');
  return secondsUntil(async () => (await readFile(file, 'utf8')).includes(`Published ${mark}.`));
}

async function secondsUntil(test: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await test())) await sleep(10);
  return (performance.now() - begun) / 1000;
}
