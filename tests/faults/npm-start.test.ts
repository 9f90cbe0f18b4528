import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { afterEach, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const READERS = 200;

interface Started {
  readonly npm: ChildProcess;
  readonly port: number;
  readonly data: string;
  said: string;
  readonly ended: Promise<number | null>;
}

const started: Started[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const { npm } of started.splice(0)) {
    if (npm.exitCode !== null || npm.signalCode !== null) continue;
    for (const pid of descendants(npm.pid as number)) process.kill(pid, 'SIGKILL');
    npm.kill('SIGKILL');
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'common-ink-npm-start-'));
  folders.push(made);
  return made;
}

/** Runs `npm start`; resolves when the site is ready or the process has ended. */
async function npmStart(data = folder()): Promise<Started> {
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, PORT: `${port}`, DATA_DIR: data, SITE_URL: '', NODE_ENV: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const site: Started = { npm, port, data, said: '', ended: once(npm, 'exit').then(([code]) => code as number | null) };
  started.push(site);
  const ready = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      site.said += chunk;
      if (site.said.includes('is ready')) resolve();
    };
    npm.stdout?.on('data', read);
    npm.stderr?.on('data', read);
  });
  await Promise.race([ready, site.ended]);
  return site;
}

function descendants(pid: number): number[] {
  const all = globSync('/proc/[0-9]*/stat').flatMap((file) => {
    try {
      const text = readFileSync(file, 'utf8');
      const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid: Number(text.split(' ')[0]), parent }];
    } catch {
      return [];
    }
  });
  const below = (parent: number): number[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...below(each.pid)]);
  return below(pid);
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const opened = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return opened;
}

interface Reader {
  answers: number;
  /** Everything but a whole answer with the expected status or a refused connection. */
  readonly failures: string[];
}

interface Reading {
  readonly path: (request: number) => string;
  readonly status: number;
  /** Milliseconds between an answer and the next request. */
  readonly pause: number;
}

/** Repeats requests on a kept-alive connection until the server refuses connections. */
async function read(port: number, { path, status, pause }: Reading, reader: Reader): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let request = 0; ; request++) {
    const { promise, resolve } = Promise.withResolvers<string>();
    get({ port, host: '127.0.0.1', path: path(request), agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('close', () => {
        const isWhole = response.complete && bytes === Number(response.headers['content-length'] ?? bytes);
        resolve(response.statusCode === status && isWhole ? 'whole' : `${response.statusCode}, ${bytes} bytes`);
      });
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    const outcome = await promise;
    if (outcome === 'ECONNREFUSED') return agent.destroy();
    if (outcome === 'whole') reader.answers++;
    else reader.failures.push(outcome);
    if (reader.failures.length > 3) return agent.destroy();
    if (pause > 0) await sleep(pause);
  }
}

test('npm and the server are all that stays; a signal to npm ends both with every answer given and data written out', async () => {
  const site = await npmStart();
  expect(site.said).toContain('is ready');
  const npmPid = site.npm.pid as number;
  const [server, ...others] = descendants(npmPid);
  expect(others).toEqual([]);
  if (server === undefined) throw new Error('No server runs.');
  expect(readFileSync(`/proc/${server}/cmdline`, 'utf8')).toContain('dist/server/entry.mjs');

  const readers = Array.from({ length: READERS }, (): Reader => ({ answers: 0, failures: [] }));
  // Every fourth reader asks for a page that has to be rendered, which asks the backend. Without the pauses readers
  // would take the whole processor and answer later than the server waits.
  const stored: Reading = { path: () => '/', status: 200, pause: 100 };
  const missing = (n: number): Reading => ({ path: (request) => `/post/none-${n}-${request}`, status: 404, pause: 50 });
  const reading = readers.map((reader, n) => read(site.port, n % 4 === 0 ? missing(n) : stored, reader));
  await expect.poll(() => readers.every(({ answers }) => answers > 0), { timeout: 30_000 }).toBe(true);
  site.npm.kill('SIGTERM');
  expect(await site.ended).toBe(0);
  await Promise.all(reading);

  expect(readers.map(({ failures }, n) => `${n}: ${failures}`).filter((line) => !line.endsWith(': '))).toEqual([]);
  expect(existsSync(`/proc/${server}`)).toBe(false);
  expect(await isOpen(site.port)).toBe(false);
  expect(existsSync(join(site.data, 'backend', 'backend.sqlite'))).toBe(true);
  expect(existsSync(join(site.data, 'backend', 'backend.sqlite-wal'))).toBe(false);
});

test('a request under way holds the server, which takes no other; a second signal ends at once', async () => {
  const site = await npmStart();
  const [server] = descendants(site.npm.pid as number);
  // A body that never ends holds its request open.
  const socket = connect(site.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /v1/account/sessions/email HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Appwrite-Project: common-ink\r\n');
  socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  const metrics = async () => (await fetch(`http://127.0.0.1:${site.port}/metrics`)).text();
  // This request and that for the metrics.
  await expect.poll(metrics).toMatch(/^common_ink_http_requests_in_flight 2$/m);
  site.npm.kill('SIGTERM');
  // Signals within one key press count as one, so these two are further apart.
  await sleep(1500);
  expect(existsSync(`/proc/${server}`)).toBe(true);
  expect(await isOpen(site.port)).toBe(false);
  site.npm.kill('SIGTERM');
  expect(await site.ended).not.toBe(0);
  expect(existsSync(`/proc/${server}`)).toBe(false);
  socket.destroy();
});

test('a second server on the same data says which process has them, and leaves that one alone', async () => {
  const site = await npmStart();
  const [server] = descendants(site.npm.pid as number);
  const second = await npmStart(site.data);
  expect(await second.ended).toBe(1);
  expect(second.said).toContain(`in use by another process (pid ${server})`);
  expect((await fetch(`http://127.0.0.1:${site.port}/`)).status).toBe(200);
  site.npm.kill('SIGTERM');
  expect(await site.ended).toBe(0);
});
