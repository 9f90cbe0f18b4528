import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { listen } from '@common-ink/http/listen.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Shutdown, shutDownOnSignal } from './shutdown.ts';

const int32 = () => new Int32Array(new SharedArrayBuffer(4));
/** Longer than each step in which a server that is shutting down waits. */
const BUSY_MS = 60;
const CLIENT_PATIENCE_MS = 300_000;

it('a request that arrives while the ending server is busy is answered before its connection is closed', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  vi.spyOn(process, 'exit').mockImplementation((code) => end(code) as never);
  let shutdown: Shutdown | undefined;
  // The connections stay open until the server shuts down.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    shutdown?.admit(request, response);
    response.end();
  });
  await listen(server, 0, '127.0.0.1');
  const nothing = async () => undefined;
  const rest = { fastPath: undefined, backend: nothing, idle: nothing, disconnect: nothing, close: nothing };
  shutdown = shutDownOnSignal({ server, ...rest });

  const { port } = server.address() as AddressInfo;
  const sent = int32();
  const script = new URL('../../tests/support/idle-connections.ts', import.meta.url);
  const client = new Worker(script, { workerData: { port, count: 50, sent } });
  onTestFinished(() => void client.terminate());
  const said: string[] = [];
  client.on('message', (message: string) => said.push(message));
  await expect.poll(() => said).toEqual(['idle']);

  let asked = 0;
  const busy = setInterval(() => {
    if (!shutdown?.isClosing) return;
    client.postMessage('ask');
    // Fails rather than hangs if the client ends.
    if (Atomics.wait(sent, 0, asked++, CLIENT_PATIENCE_MS) === 'timed-out') throw new Error('The client is silent.');
    Atomics.wait(int32(), 0, 0, BUSY_MS);
  }, 1);
  onTestFinished(() => clearInterval(busy));
  process.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(0);
  clearInterval(busy);
  await expect.poll(() => said.length).toBe(1 + asked);
  const answers = said.slice(1).filter((each) => each !== 'closed');
  expect(answers.length).toBeGreaterThan(1);
  expect(new Set(answers)).toEqual(new Set(['200']));
});
