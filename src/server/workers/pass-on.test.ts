/** Requests passed on over a socket that the site may close whenever it likes. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '#publishing/testing/site.ts';
import { createPassOn, type PassOn } from './pass-on.ts';

let folder: string;
let site: Server;
let front: Server;
let passOn: PassOn;
let requests: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pass-on-'));
  requests = [];
  const seen = new WeakSet<object>();
  // Answers the first request of each connection, and closes the connection with the second unanswered.
  site = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (seen.has(request.socket)) {
      request.socket.destroy();
    } else {
      seen.add(request.socket);
      response.end('the site');
    }
  }).listen(join(folder, 'site'));
  passOn = createPassOn(join(folder, 'site'), () => undefined);
  front = createServer(passOn.handle).listen(0, '127.0.0.1');
  await Promise.all([once(site, 'listening'), once(front, 'listening')]);
});
afterEach(() => {
  passOn.close();
  for (const server of [site, front]) server.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const origin = () => `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

test('a read on a kept connection that is closed under it is asked again', async () => {
  const agent = new Agent();
  for (const path of ['/a', '/b', '/c']) {
    const { status, text } = await ask(agent, origin(), path);
    expect([status, text]).toEqual([200, 'the site']);
  }
  expect(requests).toEqual(['GET /a', 'GET /b', 'GET /b', 'GET /c', 'GET /c']);
});

test('a write is not: nobody knows what became of it', async () => {
  const agent = new Agent();
  await ask(agent, origin(), '/a');
  expect((await ask(agent, origin(), '/b', {}, 'DELETE')).status).toBe(502);
  expect(requests).toEqual(['GET /a', 'DELETE /b']);
});
