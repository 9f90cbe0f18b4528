/** Memory stays bounded whatever is sent at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackendProcess, startBackendProcess } from '../support/backend-process.ts';
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
  const large = { userId: 'u', name: 'x'.repeat(11 * MIB) };
  const replies = await Promise.all(Array.from({ length: 40 }, () => json('POST', '/users', large)));
  const statuses = new Set(replies.map(({ status }) => status));
  if (settings.verbose) console.log({ statuses: [...statuses], grown: grown(before) });
  expect([...statuses].every((status) => status === 400 || status === 503)).toBe(true);
  expect(grown(before)).toBeLessThan(256);
  expect((await json('POST', '/users', { userId: 'small' })).status).toBe(201);
});
