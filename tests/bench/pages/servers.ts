/** The servers that the bench of pages compares: the built site, nginx, and the same site under Astro's own cache. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort } from '../../../src/server/free-port.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../support/backend-process.ts';
import type { CannedAnswer } from '../bare.ts';

export const PROJECT = 'common-ink';
/** Whatever port it gets: pages carry their address, and those of another address are rendered again. */
const SITE_URL = 'http://127.0.0.1:4321';
const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start until it was ready. */
  readonly readyAfter: number;
  /** Processor time that it has used, in seconds. */
  processorTime(): Promise<number>;
  residentMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** On `core`, or where the system likes. */
function launch(
  command: readonly string[],
  core: number | undefined,
  env: NodeJS.ProcessEnv,
  stdout: 'pipe' | 'ignore' = 'pipe',
): ChildProcess {
  const [program = '', ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command];
  return spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', stdout, 'inherit'] });
}

function serverOf(child: ChildProcess, port: number, readyAfter: number): Server {
  const pid = child.pid as number;
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    readyAfter,
    async processorTime() {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async residentMiB() {
      return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Resolves with the first line of output that holds `word`. @throws Error when the process ends before. */
async function says(child: ChildProcess, word: string): Promise<void> {
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes(word)) break;
  if (child.exitCode !== null) throw new Error(`A server of the bench ended with ${child.exitCode}.`);
  // What it says later must not fill the pipe.
  child.stdout?.resume();
}

/** The built site, on `core` or, as in service, wherever there is room. */
export async function startSite(
  directory: string,
  { workers = 1, core, env = {} }: { workers?: number; core?: number | undefined; env?: NodeJS.ProcessEnv } = {},
): Promise<Server> {
  const port = await freePort();
  const begun = performance.now();
  const child = launch([process.execPath, ...SERVICE_FLAGS, 'dist/server/entry.mjs'], core, {
    PORT: `${port}`,
    DATA_DIR: directory,
    SITE_URL,
    EMBEDDED_RATE_LIMITS: 'off',
    WORKERS: `${workers}`,
    ...SERVICE_ENVIRONMENT,
    ...env,
  });
  await says(child, 'is ready');
  return serverOf(child, port, performance.now() - begun);
}

/**
 * nginx with one page as a file and its gzip beside it, and with the page's own headers, so that its answers are as long
 * as the site's.
 */
export async function startNginx(folder: string, answer: CannedAnswer, workers = 1): Promise<Server> {
  const port = await freePort();
  const place = join(folder, `nginx-${workers}`);
  await mkdir(join(place, 'www'), { recursive: true });
  await writeFile(join(place, 'www', 'index.html'), gunzipSync(answer.body));
  await writeFile(join(place, 'www', 'index.html.gz'), answer.body);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${place}/${name};`)
    .join(' ');
  const own = /^(content-type|content-length|content-encoding|etag|date|connection|keep-alive|vary)$/i;
  const headers = answer.headers
    .flatMap((name, i) => (i % 2 === 0 && !own.test(name) ? [[name, answer.headers[i + 1] ?? '']] : []))
    .map(([name, value]) => `add_header ${name} '${value?.replaceAll("'", "\\'")}';`)
    .join('\n');
  // As root nginx would give up its rights, and with them the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const configuration = `${user} daemon off; worker_processes ${workers}; pid ${place}/pid; error_log ${place}/error.log;
    events { worker_connections 512; }
    http { ${temporary} access_log off; keepalive_requests 10000000; open_file_cache max=100; gzip_static on; gzip_vary on;
      types { text/html html; } charset utf-8; sendfile on; tcp_nopush on;
      server { listen 127.0.0.1:${port}${workers > 1 ? ' reuseport' : ''}; root ${place}/www; ${headers} } }`;
  await writeFile(join(place, 'nginx.conf'), configuration);
  const begun = performance.now();
  const child = launch(['nginx', '-c', join(place, 'nginx.conf')], workers > 1 ? undefined : 0, {}, 'ignore');
  const server = serverOf(child, port, performance.now() - begun);
  await answers(child, server.url);
  return server;
}

/** Asks until the server at `url` gives a page. */
async function answers(child: ChildProcess, url: string): Promise<void> {
  let last = 'nothing';
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`A server of the bench ended with ${child.exitCode}.`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    last = answer ? `${answer.status}` : last;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${url} does not answer with a page (${last}).`);
}

/**
 * The same pages as Astro serves them by itself: its Node adapter alone and its `memoryCache` as the provider, against
 * the backend of a running site. What stands before Astro in the product is not there; everything behind it is the same.
 */
export async function startUnderMemoryCache(folder: string, site: Server): Promise<Server> {
  const [{ build }, { memoryCache }, { default: node }] = await Promise.all([
    import('astro'),
    import('astro/config'),
    import('@astrojs/node'),
  ]);
  // Inside the project, because what is built imports its packages.
  const outDir = join(ROOT, 'node_modules', '.cache', 'common-ink-bench');
  process.env.ASTRO_TELEMETRY_DISABLED = '1';
  await build({
    root: ROOT,
    outDir,
    logLevel: 'error',
    adapter: node({ mode: 'standalone' }),
    cache: { provider: memoryCache() },
  });
  const port = await freePort();
  const directory = join(folder, 'memory-cache');
  await mkdir(directory, { recursive: true });
  await copyFile(join(folder, 'data', 'server-key'), join(directory, 'server-key'));
  const begun = performance.now();
  const child = launch(
    [process.execPath, ...SERVICE_FLAGS, join(outDir, 'server', 'entry.mjs')],
    0,
    {
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATA_DIR: directory,
      SITE_URL,
      APPWRITE_ENDPOINT: `${site.url}/v1`,
      APPWRITE_API_KEY: (await readFile(join(directory, 'server-key'), 'utf8')).trim(),
    },
    'ignore',
  );
  const server = serverOf(child, port, performance.now() - begun);
  await answers(child, server.url);
  return server;
}
