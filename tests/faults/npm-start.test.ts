import { existsSync, globSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';
import { GRACE_MS, isOpen, ROOT, textAt, watchArrivals } from './tools.ts';

const READERS = 200;

/** Runs `npm start` until the site has loaded its pages or the process has ended. */
async function npmStart() {
  const [port, data] = [await freePort(), ownFolder()];
  const env = { ...process.env, PORT: `${port}`, DATA_DIR: data, SITE_URL: '', NODE_ENV: '' };
  const { child: npm, ended, said, until } = startProgram('npm', ['start'], { cwd: ROOT, env });
  const pid = npm.pid as number;
  onTestFinished(() => {
    if (npm.exitCode !== null || npm.signalCode !== null) return;
    for (const each of [...descendants(pid), pid]) process.kill(each, 'SIGKILL');
  });
  await Promise.race([until(/Every page is loaded/), ended]);
  expect(said()).toContain('is ready');
  const [server = 0, ...others] = descendants(pid);
  expect(others).toEqual([]);
  return { npm, port, url: `http://127.0.0.1:${port}`, data, server, ended };
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

interface Reader {
  answers: number;
  /** All outcomes other than a complete response with the expected status or a refused connection. */
  readonly failures: string[];
  readonly path: (request: number) => string;
  readonly status: number;
  /** Milliseconds between an answer and the next request. */
  readonly pause: number;
}

/** Repeats requests on a kept-alive connection until the server refuses connections. */
async function read(port: number, reader: Reader, arrival: () => number): Promise<void> {
  const { path, status, pause } = reader;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let [idleSince, sentAt] = [0, 0];
  for (let request = 0; ; request++) {
    const { promise, resolve } = Promise.withResolvers<string>();
    const sent = get({ port, host: '127.0.0.1', path: path(request), agent }, (response) => {
      const arrivedAt = arrival();
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('close', () => {
        const isWhole = response.complete && bytes === Number(response.headers['content-length'] ?? bytes);
        if (isWhole) idleSince = arrivedAt;
        resolve(response.statusCode === status && isWhole ? 'whole' : `${response.statusCode}, ${bytes} bytes`);
      });
    })
      .on('finish', () => {
        sentAt = performance.now();
      })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    const outcome = await promise;
    if (outcome === 'ECONNREFUSED') return agent.destroy();
    // Not a failure: this process was paused, so the connection was idle until the server closed it.
    if (sentAt - idleSince > GRACE_MS && sent.reusedSocket && outcome === 'ECONNRESET') continue;
    if (outcome === 'whole') reader.answers++;
    else reader.failures.push(outcome);
    if (reader.failures.length > 3) return agent.destroy();
    if (pause > 0) await sleep(pause);
  }
}

test('npm and the server are all that stays; a signal to npm ends both with every answer given and data written out', async () => {
  const { npm, port, url, data, server, ended } = await npmStart();
  expect(readFileSync(`/proc/${server}/cmdline`, 'utf8')).toContain('dist/server/entry.mjs');

  // Renders the home page before many readers wait for it.
  await expect.poll(async () => (await fetch(url)).status).toBe(200);
  // Ten readers request pages that must be rendered, which requires the backend. More of them, or readers without
  // pauses, would use all processor time: renders would take too long, and the next requests would find idle connections
  // closed.
  const readers = Array.from(
    { length: READERS },
    (_, n): Reader => ({
      ...{ answers: 0, failures: [] },
      ...(n % 20 === 0
        ? { path: (request) => `/post/none-${n}-${request}`, status: 404, pause: 50 }
        : { path: () => '/', status: 200, pause: 100 }),
    }),
  );
  const arrival = watchArrivals();
  const reading = readers.map((reader) => read(port, reader, arrival));
  await expect.poll(() => readers.every(({ answers }) => answers > 0)).toBe(true);
  npm.kill('SIGTERM');
  expect(await ended).toBe(0);
  await Promise.all(reading);

  expect(readers.flatMap(({ failures }) => failures)).toEqual([]);
  expect(existsSync(`/proc/${server}`)).toBe(false);
  expect(await isOpen(url)).toBe(false);
  expect(existsSync(join(data, 'backend', 'backend.sqlite'))).toBe(true);
  expect(existsSync(join(data, 'backend', 'backend.sqlite-wal'))).toBe(false);
});

test('a request under way holds the server, which takes no other; a second signal ends at once', async () => {
  const { npm, port, url, server, ended } = await npmStart();
  // An incomplete body keeps the request open.
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('POST /v1/account/sessions/email HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Appwrite-Project: common-ink\r\n');
  socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  // The metric counts the request above and the one that reads the metrics.
  await expect.poll(() => textAt(`${url}/metrics`)).toMatch(/^common_ink_http_requests_in_flight 2$/m);
  npm.kill('SIGTERM');
  await expect.poll(() => isOpen(url)).toBe(false);
  // The server treats signals in quick succession as one key press, so the second one is sent later.
  await sleep(1500);
  expect(existsSync(`/proc/${server}`)).toBe(true);
  npm.kill('SIGTERM');
  expect(await ended).not.toBe(0);
  expect(existsSync(`/proc/${server}`)).toBe(false);
  socket.destroy();
});
