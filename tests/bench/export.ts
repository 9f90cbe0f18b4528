/**
 * `npm run bench -- export [--posts 10000] [--tags 300] [--folder DIR]`: measures the static export of a whole site in
 * time and memory, then the cost of an edit, both by running the command again and by `--watch`, and compares every
 * exported file with the server's answer (`diff -r`). --folder keeps the site and its export: a second run starts with
 * the edits.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { freePort } from '@common-ink/http/free-port.ts';
import { Databases, Users } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { fixedPaths } from '#blog/routes/table.ts';
import { NOTES } from '#export/folder.ts';
import { buildIsStale } from '../../scripts/build-stamp.ts';
import { picture } from '../e2e/pictures.ts';
import { RunningSite, type Writer } from '../e2e/site.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../support/backend-process.ts';
import { median, Report } from './report.ts';
import { tagsAt } from './tagged.ts';

/** The compile cache of `scripts/bootstrap.mjs`. */
const COMPILED = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');
const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
/** Posts share the pictures, because resizing isn't measured. */
const PICTURES = 20;
const EDITS = 9;
const IDS = { databaseId: 'blog', collectionId: 'articles' } as const;
const SITE_URL = 'https://blog.example.com';
/** Prints the process's peak resident KiB and processor microseconds at its exit. */
const USAGE =
  'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();console.error("used",u.maxRSS,u.userCPUTime+u.systemCPUTime)})';

const WORDS = 'ink paper press type margin column letter plate proof sheet grain size fibre colour line face'.split(
  ' ',
);
/** Returns about 5 KB of text, different in each post. */
function content(n: number): string {
  const word = (i: number) => WORDS[(n * 7 + i * i + i) % WORDS.length];
  const parts = Array.from({ length: 8 }, (_, part) => {
    const text = Array.from({ length: 100 }, (_, i) => word(i + part * 13 + (n % (part + 3)))).join(' ');
    return `<h2>Part ${part + 1} of ${n}</h2><p>${text}.</p>`;
  });
  return parts.join('');
}

async function fill(site: RunningSite, writer: Writer, count: number, tags: number): Promise<void> {
  const files: string[] = [];
  for (let i = 0; i < PICTURES; i++) files.push(await site.upload(writer, await picture(), `picture-${i}.png`));
  const databases = new Databases(site.admin());
  for (let at = 0; at < count; at += 100) {
    const documents = Array.from({ length: Math.min(100, count - at) }, (_, i) => ({
      $id: `post-${at + i}`,
      $permissions: postPermissions('active', writer.id),
      title: `Post ${at + i} on paper and ink`,
      content: content(at + i),
      featuredImage: files[(at + i) % PICTURES],
      ...(tags > 0 && { tags: tagsAt(at + i, tags) }),
      status: 'active',
      userId: writer.id,
    }));
    await databases.createDocuments({ ...IDS, documents });
  }
}

const environmentOf = (site: RunningSite) => ({
  ...process.env,
  SITE_URL,
  PORT: new URL(site.url).port,
  DATA_DIR: site.dataDirectory,
  EMBEDDED_RATE_LIMITS: 'off',
});

interface Run {
  /** Figures of the whole command; `processor` excludes the server's part, `served`. */
  readonly seconds: number;
  readonly processor: number;
  readonly served: number;
  /** In MiB. */
  readonly peak: number;
  readonly said: string;
}

/** Starts the command like `npm run export`, asynchronously: this process keeps its connections to the site alive. */
const startExport = (site: RunningSite, ...given: string[]) =>
  spawn(process.execPath, [...SERVICE_FLAGS, '--import', USAGE, join(SCRIPTS, 'export.ts'), ...given], {
    env: { NODE_COMPILE_CACHE: COMPILED, ...SERVICE_ENVIRONMENT, ...environmentOf(site) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function exportNow(site: RunningSite, directory: string): Promise<Run> {
  const begun = performance.now();
  const before = processorOf(site);
  const child = startExport(site, directory);
  const [said, complaints, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (status !== 0) throw new Error(`The export ended with ${status}.\n${said}${complaints}`);
  const seconds = (performance.now() - begun) / 1000;
  const [, peak, processor] = /used (\d+) (\d+)/.exec(complaints) ?? [];
  return {
    seconds,
    processor: Number(processor) / 1e6,
    served: processorOf(site) - before,
    peak: Number(peak) / 1024,
    said,
  };
}

interface Watching {
  readonly child: ChildProcess;
  /** Resolves with the next report's last line and the files that it names. */
  next(): Promise<{ line: string; files: string[] }>;
}

async function startWatching(site: RunningSite, directory: string): Promise<Watching> {
  const child = startExport(site, directory, '--watch');
  child.stderr.pipe(process.stderr);
  let said = '';
  let next = () => {};
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
    next();
  });
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const ended = () => reject(new Error(`The watching export ended.\n${said}`));
      child.once('exit', ended);
      next = () => {
        if (!pattern.test(said)) return;
        child.off('exit', ended);
        const all = said;
        said = '';
        resolve(all);
      };
      next();
    });
  await until(/Watching .*\n/);
  return {
    child,
    next: async () => {
      const lines = (await until(/ posts on .*\n/)).trim().split('\n');
      return { line: lines.at(-1) ?? '', files: lines.slice(0, -1) };
    },
  };
}

/** Returns each exported file that the server also sends, with its path and content coding. */
async function served(directory: string): Promise<{ file: string; path: string; coding: string }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((name) => {
    const file = name.slice(directory.length + 1);
    if (file.startsWith(`${NOTES}/`) || /^_(?:headers|redirects)$/.test(file)) return [];
    // Skips files only for hosts: error pages, the shell of /edit-post/x, the search among files, resized pictures.
    if (/(?:^|\/)404\.html|^edit-post\/|^search(?:-index)?\/|^v1\//.test(file)) return [];
    const [, plain = file, ending] = /^(.*?)(?:\.(br|gz))?$/.exec(file) ?? [];
    const coding = ending === 'gz' ? 'gzip' : (ending ?? 'identity');
    // The server sends built files uncompressed; only the export has compressed forms.
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
  // Copies the same files of the export next to the downloads.
  for (const { file } of list) await mkdir(dirname(join(here, file)), { recursive: true });
  for (const { file } of list) await writeFile(join(here, file), await readFile(join(directory, file)));
  const { status, stdout } = spawnSync('diff', ['-rq', here, there], { encoding: 'utf8' });
  console.log(
    `diff -r of ${list.length} exported files (${posts} posts) and what the server sends: ${status === 0 ? 'equal' : `DIFFERENT\n${stdout.slice(0, 2000)}`}`,
  );
  if (status !== 0) process.exitCode = 1;
}

const memoryOf = (site: RunningSite, field: string) => {
  const status = readFileSync(`/proc/${site.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
};

/** Returns the server's processor seconds so far. */
function processorOf(site: RunningSite): number {
  const fields = readFileSync(`/proc/${site.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const processorText = ({ processor, served }: Run) =>
  `Processor: ${processor.toFixed(2)} s of the export, ${served.toFixed(2)} s of the server.`;

interface Site extends Setting {
  readonly site: RunningSite;
  readonly writer: Writer;
}
interface Setting {
  readonly count: number;
  readonly directory: string;
}

async function first({ site, directory, count }: Site): Promise<void> {
  const run = await exportNow(site, directory);
  const bytes = execFileSync('du', ['-sm', directory], { encoding: 'utf8' }).split('\t')[0];
  console.log(`\n${count} posts, nothing rendered yet: ${run.seconds.toFixed(1)} s, ${bytes} MiB of files.`);
  console.log(processorText(run));
  console.log(`Peak of the export ${run.peak.toFixed(0)} MiB, of the server ${memoryOf(site, 'VmHWM')} MiB.`);
}

async function edits(report: Report, { site, writer, directory, count }: Site): Promise<void> {
  const again = await exportNow(site, directory);
  console.log(`Again, nothing changed: ${again.seconds.toFixed(2)} s, peak ${again.peak.toFixed(0)} MiB.`);
  console.log(processorText(again));
  const databases = new Databases(site.as(writer));
  const edit = (documentId: string, words: string) =>
    databases.updateDocument({ ...IDS, documentId, data: { content: `<p>${words}</p>${content(1)}` } });
  await edit(`post-${Math.floor(count / 2)}`, `Edited at ${new Date().toISOString()}.`);
  const edited = await exportNow(site, directory);
  report.line('an edit, the command run again', edited.seconds, { most: 3 }, 's');
  console.log(edited.said.trim());
  console.log(processorText(edited));

  const watching = await startWatching(site, directory);
  try {
    const times: number[] = [];
    let touched = 0;
    for (let i = 0; i < EDITS; i++) {
      const next = watching.next();
      await edit(`post-${Math.floor((count * (i + 1)) / (EDITS + 2))}`, `Edited at ${new Date().toISOString()}.`);
      const begun = performance.now();
      const { files } = await next;
      times.push(performance.now() - begun);
      touched = Math.max(touched, files.length);
    }
    report.line('an edit under --watch, from its answer to the last file, median', median(times), { most: 3000 }, 'ms');
    report.note(`its worst of ${EDITS}: ${Math.max(...times).toFixed(0)} ms; at most ${touched} files each`);
    const gone = `post-${Math.floor(count / 3)}-${Date.now()}`;
    for (const work of ['published', 'deleted'] as const) {
      const next = watching.next();
      if (work === 'published') {
        const data = { title: gone, content: content(2), featuredImage: '', status: 'active', userId: writer.id };
        const permissions = postPermissions('active', writer.id);
        await databases.createDocument({ ...IDS, documentId: gone, data, permissions });
      } else await databases.deleteDocument({ ...IDS, documentId: gone });
      const begun = performance.now();
      const { line } = await next;
      const there = existsSync(join(directory, 'post', gone));
      if (there !== (work === 'published'))
        throw new Error(`The post that was ${work} is ${there ? '' : 'not '}there.`);
      console.log(`A post ${work} under --watch: ${(performance.now() - begun).toFixed(0)} ms. ${line}`);
    }
  } finally {
    const ended = once(watching.child, 'exit');
    watching.child.kill('SIGTERM');
    await ended;
  }
}

async function knownWriter(site: RunningSite): Promise<Writer> {
  const users = new Users(site.admin());
  const user = (await users.list()).users[0];
  if (!user) throw new Error('The site of --folder has no writer. Remove the folder.');
  const { secret } = await users.createSession({ userId: user.$id });
  return { id: user.$id, name: user.name, email: user.email, password: '', session: secret };
}

async function bench(count: number, tags: number, kept: string | undefined): Promise<void> {
  if (buildIsStale()) execFileSync(process.execPath, [join(SCRIPTS, 'build.ts')], { stdio: 'inherit' });
  const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'common-ink-bench-export-'));
  const directory = join(folder, 'www');
  const isFilled = existsSync(directory);
  const site = new RunningSite(await freePort(), join(folder, 'data'), { environment: { SITE_URL } });
  await site.start();
  try {
    const writer = isFilled ? await knownWriter(site) : await site.writer();
    if (!isFilled) {
      await fill(site, writer, count, tags);
      // Restarts the server, so that memory left from filling it doesn't count.
      await site.stop();
      await site.start();
    }
    const all = { site, writer, directory, count };
    if (!isFilled) await first(all);
    const report = new Report();
    await edits(report, all);
    await compare(site, directory, folder);
    report.end();
  } finally {
    await site.stop();
    if (!kept) await rm(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    posts: { type: 'string', default: '10000' },
    tags: { type: 'string', default: '0' },
    folder: { type: 'string' },
  },
});
await bench(Number(values.posts), Number(values.tags), values.folder);
