import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '@common-ink/http/listen.ts';
import { expect, onTestFinished, test } from 'vitest';
import { statusOfPage } from './check-restore.ts';

/** Starts a server that answers its first `refused` requests with 503. */
async function busyServer(refused: number) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.writeHead(requests > refused ? 200 : 503, { 'Retry-After': '0' }).end('A page.');
  });
  await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/post/ink`;
}

test.each([
  ['a server that is busy at first', 4, 200],
  ['a server that is always busy', 5, 503],
])('%s answers the check of a page', async (_, refused, status) => {
  expect(await statusOfPage(await busyServer(refused))).toBe(status);
});
