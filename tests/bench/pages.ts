/**
 * `npm run bench -- pages [--posts 10000] [--seconds 4]`: what readers get from the built server, beside a bare `node:http`
 * server with the same bytes and beside nginx (gzip_static, one worker); how soon a write is on the pages; what a page costs
 * that is not stored. Servers run on the first core and wrk on the second, in turns. Needs wrk, nginx and taskset.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client, Databases, Users } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import { SERVICE_FLAGS } from '../support/backend-process.ts';
import { startBare } from './bare.ts';
import { table } from './figures.ts';

const [PORT, NGINX_PORT] = [4381, 4382];
const URL_OF_SITE = `http://127.0.0.1:${PORT}`;
const ROUNDS = 3;
const CHANGES = 100;
const run = promisify(execFile);

const CONTENT = Array.from(
  { length: 8 },
  (_, i) => `<h2>Part ${i + 1}</h2><p>${'Ink spreads along the fibres until it meets the size. '.repeat(10)}</p>`,
).join('');

interface Wrk {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly requests: number;
  readonly faults: number;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

async function wrk(url: string, seconds: number): Promise<Wrk> {
  const args = ['-c', '1', 'wrk', '-t1', '-c32', `-d${seconds}s`, '--latency', '-H', 'Accept-Encoding: gzip', url];
  const { stdout } = await run('taskset', args);
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const faults = [.../(?:Non-2xx or 3xx responses: |connect |read |write |timeout )(\d+)/g[Symbol.matchAll](stdout)];
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p99: Number(p99) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN),
    requests: number(/(\d+) requests in/),
    faults: faults.reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

/** Processor time of a process in seconds. */
async function processorTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function residentMiB(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The built server on the first core; resolves when it is ready, with the milliseconds that took. */
async function startSite(directory: string): Promise<{ child: ChildProcess; readyAfter: number }> {
  const begun = performance.now();
  const child = spawn('taskset', ['-c', '0', process.execPath, ...SERVICE_FLAGS, 'dist/server/entry.mjs'], {
    env: { ...process.env, PORT: `${PORT}`, DATA_DIR: directory, EMBEDDED_RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) if (String(chunk).includes('is ready')) break;
  return { child, readyAfter: performance.now() - begun };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function startNginx(folder: string, html: Buffer, gzip: Buffer): Promise<ChildProcess> {
  await mkdir(join(folder, 'www'), { recursive: true });
  await writeFile(join(folder, 'www', 'index.html'), html);
  await writeFile(join(folder, 'www', 'index.html.gz'), gzip);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const configuration = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events { worker_connections 512; }
    http { ${temporary} access_log off; keepalive_requests 1000000; open_file_cache max=100; gzip_static on;
      types { text/html html; } sendfile on; tcp_nopush on;
      server { listen 127.0.0.1:${NGINX_PORT}; root ${folder}/www; } }`;
  await writeFile(join(folder, 'nginx.conf'), configuration);
  const child = spawn('taskset', ['-c', '0', 'nginx', '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
  for (;;) {
    if (child.exitCode !== null) throw new Error('nginx could not start.');
    const answer = await fetch(`http://127.0.0.1:${NGINX_PORT}/`).catch(() => undefined);
    if (answer?.ok) return child;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function clientOf(key: string): Client {
  return new Client().setEndpoint(`${URL_OF_SITE}/v1`).setProject('common-ink').setKey(key);
}

const ids = { databaseId: 'blog', collectionId: 'articles' } as const;

async function addPosts(client: Client, from: number, to: number): Promise<void> {
  const databases = new Databases(client);
  for (let at = from; at < to; at += 100) {
    const documents = Array.from({ length: Math.min(100, to - at) }, (_, i) => ({
      $id: `post-${at + i}`,
      $permissions: postPermissions('active', 'writer'),
      title: `Post ${at + i} on paper and ink`,
      content: CONTENT,
      featuredImage: 'none',
      status: 'active',
      userId: 'writer',
    }));
    await databases.createDocuments({ ...ids, documents });
  }
}

/** How long from the answered write until another client has the home page and the post with it, and the write itself. */
async function freshness(client: Client): Promise<{ write: number[]; home: number[]; post: number[] }> {
  const databases = new Databases(client);
  const figures = { write: [] as number[], home: [] as number[], post: [] as number[] };
  // The newest post is the one that home leads with.
  const documentId = `newest-${Date.now()}`;
  const fields = { content: CONTENT, featuredImage: 'none', status: 'active', userId: 'writer' };
  const permissions = postPermissions('active', 'writer');
  await databases.createDocument({ ...ids, documentId, data: { ...fields, title: 'Newest' }, permissions });
  for (let i = 0; i < CHANGES; i++) {
    const title = `Changed for the ${i}. time`;
    const begun = performance.now();
    await databases.updateDocument({ ...ids, documentId, data: { title } });
    const answered = performance.now();
    figures.write.push(answered - begun);
    const until = async (path: string): Promise<number> => {
      while (!(await (await fetch(`${URL_OF_SITE}${path}`)).text()).includes(title));
      return performance.now() - answered;
    };
    const [home, post] = await Promise.all([until('/'), until(`/post/${documentId}`)]);
    figures.home.push(home);
    figures.post.push(post);
  }
  return figures;
}

async function coldPages(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    const response = await fetch(`${URL_OF_SITE}/post/post-${i}`);
    await response.text();
    if (response.status !== 200) throw new Error(`/post/post-${i}: ${response.status}`);
    times.push(performance.now() - begun);
  }
  return times;
}

async function hits(site: ChildProcess, folder: string, seconds: number): Promise<void> {
  const html = Buffer.from(await (await fetch(`${URL_OF_SITE}/`)).arrayBuffer());
  const gzip = gzipSync(html, { level: 9 });
  const bare = await startBare();
  await run('taskset', ['-a', '-c', '-p', '0', `${bare.pid}`]);
  const response = await fetch(`${URL_OF_SITE}/`, { headers: { 'accept-encoding': 'gzip' } });
  const same = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  const length = String(gzip.length);
  const headers = same.flatMap(([name, value]) => [name, name === 'content-length' ? length : value]);
  await bare.answerWith({ status: 200, headers, body: gzip });
  const nginx = await startNginx(folder, html, gzip);
  const sides = { product: PORT, bare: bare.port, nginx: NGINX_PORT };
  const results: Record<string, Wrk[]> = { product: [], bare: [], nginx: [] };
  let processor = 0;
  try {
    await wrk(`${URL_OF_SITE}/`, 1);
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, port] of Object.entries(sides)) {
        const before = await processorTime(site.pid as number);
        results[name]?.push(await wrk(`http://127.0.0.1:${port}/`, seconds));
        if (name === 'product') processor += (await processorTime(site.pid as number)) - before;
      }
  } finally {
    bare.stop();
    await stop(nginx);
  }
  const speed = (name: string) => median(results[name]?.map(({ perSecond }) => perSecond) ?? []);
  const rows = Object.entries(results).map(([name, all]) => [
    name,
    speed(name).toFixed(0),
    median(all.map(({ p99 }) => p99)).toFixed(2),
    String(all.reduce((sum, { faults }) => sum + faults, 0)),
    (speed('product') / speed(name)).toFixed(2),
  ]);
  console.log(`\nHome, ${html.length} bytes, ${gzip.length} gzipped, 32 connections, medians of ${ROUNDS}:`);
  console.log(table([['', 'req/s', 'p99 ms', 'faults', 'product/it'], ...rows]));
  const requests = results.product?.reduce((sum, one) => sum + one.requests, 0) ?? 0;
  console.log(`Processor time: ${((processor / requests) * 1000).toFixed(4)} s per 1,000 reads (bound 0.02).`);
  console.log('Bounds: 0.95 of bare, 0.6 of nginx, p99 below 5 ms.');
}

async function bench(posts: number, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
  const directory = join(folder, 'data');
  let site = (await startSite(directory)).child;
  const show = (what: string, values: readonly number[]) =>
    console.log(`${what}: median ${median(values).toFixed(1)} ms, worst ${Math.max(...values).toFixed(1)} ms`);
  try {
    const client = clientOf((await readFile(join(directory, 'server-key'), 'utf8')).trim());
    await new Users(client).create({ userId: 'writer', email: 'w@example.com', password: 'correct horse', name: 'W' });
    let had = 0;
    for (const count of [100, posts]) {
      await addPosts(client, had, count);
      had = count;
      await stop(site);
      const started = await startSite(directory);
      site = started.child;
      console.log(`\n${count} posts. Ready ${started.readyAfter.toFixed(0)} ms after the start.`);
      show('A post that is not stored, backend included', await coldPages(100));
      const { write, home, post } = await freshness(client);
      show('The write', write);
      show('From the answered write to a fresh home page (median at most 10, worst at most 30)', home);
      show('From the answered write to a fresh post', post);
      console.log(`Resident: ${(await residentMiB(site.pid as number)).toFixed(0)} MiB`);
    }
    await hits(site, folder, seconds);
  } finally {
    await stop(site);
    await rm(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { posts: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '4' } },
});
await bench(Number(values.posts), Number(values.seconds));
