/** Memory stays bounded whatever is sent at once. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackendProcess, PROJECT, startBackendProcess } from '../support/backend-process.ts';
import { createClient } from './client.ts';
import { flood } from './flood.ts';
import { settings } from './settings.ts';

const MIB = 1024 * 1024;

let directory: string;
let server: BackendProcess;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'common-ink-flood-'));
  server = await startBackendProcess(directory);
});
afterEach(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** MiB by which the process has grown at most. */
function grown(before: number): number {
  return Math.round((server.resident().most - before) / MIB);
}

/** Ends when the server has done what it can do. */
async function atRest(): Promise<void> {
  for (let before = -1; before !== server.processorTime(); ) {
    before = server.processorTime();
    await wait(200);
  }
}

test(`${settings.uploads} uploads of 5 MB at once are stored within 128 MiB`, async () => {
  const { json } = createClient(server.endpoint);
  await json('POST', '/storage/buckets', { bucketId: 'b', name: 'b' });
  const before = server.resident().now;
  const begun = performance.now();
  const statuses = await flood(
    server.port,
    '/storage/buckets/b/files',
    settings.uploads,
    Buffer.alloc(5_000_000, 'ink '),
  );
  const seconds = (performance.now() - begun) / 1000;
  if (settings.verbose) console.log({ statuses, seconds, before: Math.round(before / MIB), grown: grown(before) });
  expect(statuses).toEqual({ 201: settings.uploads });
  expect(grown(before)).toBeLessThan(128);
});

test('large JSON bodies at once are refused rather than held: 503, and small ones pass', async () => {
  const { json } = createClient(server.endpoint);
  const before = server.resident().now;
  const documents = '/databases/none/collections/none/documents';
  const large = { documentId: 'd', data: { text: 'x'.repeat(11 * MIB) } };
  const replies = await Promise.all(Array.from({ length: 40 }, () => json('POST', documents, large)));
  const statuses = new Set(replies.map(({ status }) => status));
  if (settings.verbose) console.log({ statuses: [...statuses], grown: grown(before) });
  expect([...statuses].every((status) => status === 404 || status === 503)).toBe(true);
  // All of them held would be 440 MiB, twice that as text.
  expect(grown(before)).toBeLessThan(320);
  expect((await json('POST', '/users', { userId: 'small' })).status).toBe(201);
});

test('a hundred clients who ask five times for a large file and read none of it take less than 128 MiB', async () => {
  const { json } = createClient(server.endpoint);
  await json('POST', '/storage/buckets', { bucketId: 'b', name: 'b', permissions: ['read("any")'] });
  const large = Buffer.alloc(10_000_000, 'ink ');
  expect(await flood(server.port, '/storage/buckets/b/files', 1, large)).toEqual({ 201: 1 });
  await server.memory();
  const before = server.resident().now;
  const request = `GET /v1/storage/buckets/b/files/flood-0/view?project=${PROJECT} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const clients = Array.from({ length: 100 }, () => {
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => {});
    client.write(request.repeat(5));
    return client;
  });
  await Promise.all(clients.map((client) => once(client, 'readable')));
  await atRest();
  if (settings.verbose)
    console.log({ before: Math.round(before / MIB), grown: Math.round((server.resident().now - before) / MIB) });
  expect((server.resident().now - before) / MIB).toBeLessThan(128);
  for (const client of clients) client.destroy();
});
