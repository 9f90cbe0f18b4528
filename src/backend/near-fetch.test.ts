import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fetch } from './near-fetch.ts';

const open: { close(): unknown; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function backend(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const QUESTION = { method: 'GET', headers: { 'x-appwrite-project': 'ink' } };

test('a question is asked with the headers of the SDK, and its answer read as the standard would', async () => {
  const url = await backend((request, response) => {
    response.writeHead(401, { 'Content-Type': 'application/json', 'X-Appwrite-Warning': ['one', 'two'] });
    response.end(JSON.stringify({ project: request.headers['x-appwrite-project'], method: request.method, é: 'ü' }));
  });
  const answer = await fetch(url, QUESTION);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  expect(answer.headers.get('x-appwrite-warning')).toBe('one, two');
  expect(answer.headers.get('x-none')).toBeNull();
  expect(JSON.parse(await answer.text())).toEqual({ project: 'ink', method: 'GET', é: 'ü' });
});

test('bytes arrive as they are', async () => {
  const url = await backend((_request, response) => response.end(Buffer.from([0, 255, 13, 10])));
  expect([...new Uint8Array(await (await fetch(url, QUESTION)).arrayBuffer())]).toEqual([0, 255, 13, 10]);
});

test('a redirect is followed', async () => {
  const url = await backend((request, response) => {
    if (request.url === '/v1') response.writeHead(307, { Location: '/v2' }).end('elsewhere');
    else response.end('here');
  });
  expect(await (await fetch(url, QUESTION)).text()).toBe('here');
});

test('a redirect is given as it is to who wants to see it', async () => {
  const url = await backend((_request, response) => response.writeHead(302, { Location: '/v2' }).end());
  const answer = await fetch(url, { ...QUESTION, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/v2']);
});

test('what is sent arrives', async () => {
  const url = await backend((request, response) => request.pipe(response));
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
  expect(await answer.text()).toBe('{"a":1}');
});

test('a backend that is not there, and one that leaves in the middle of its answer, are errors of the network', async () => {
  const url = await backend((_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('half');
    setImmediate(() => response.destroy());
  });
  await expect((await fetch(url, QUESTION)).text()).rejects.toThrow(TypeError);
  await expect(fetch('http://127.0.0.1:1/v1', QUESTION)).rejects.toThrow(new TypeError('fetch failed'));
});
