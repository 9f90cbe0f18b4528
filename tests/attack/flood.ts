/** Floods the embedded backend with large uploads, large JSON bodies and unread downloads. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../faults/client.ts';
import { type BackendProcess, PROJECT, startBackendProcess } from '../support/backend-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Attack, Figures } from './attack.ts';

const MIB = 1024 * 1024;
const UPLOADS = 60;

const upload = async ({ endpoint }: BackendProcess, fileId: string, bytes: Buffer): Promise<number> =>
  (await createClient(endpoint).upload('/storage/buckets/b/files', fileId, bytes)).status;

async function atRest(server: BackendProcess): Promise<void> {
  for (let before = -1; before !== server.processorTime(); ) {
    before = server.processorTime();
    await wait(200);
  }
}

const growth = (server: BackendProcess, before: number, mark: 'now' | 'most') =>
  (server.resident()[mark] - before) / MIB;

async function uploads(server: BackendProcess): Promise<Figures> {
  await createClient(server.endpoint).json('POST', '/storage/buckets', { bucketId: 'b', name: 'b' });
  const before = server.resident().now;
  const bytes = Buffer.alloc(5_000_000, 'ink ');
  const all = Array.from({ length: UPLOADS }, (_, i) => upload(server, `${i}`, bytes));
  const refused = (await Promise.all(all)).filter((status) => status !== 201);
  return { 'uploads: refused': refused.length, 'uploads: grown, MiB': growth(server, before, 'most') };
}

/** Sends forty bodies of 11 MiB at once, which take 440 MiB if the server buffers them all, or twice that as text. */
async function bodies(server: BackendProcess): Promise<Figures> {
  const { json } = createClient(server.endpoint);
  const before = server.resident().now;
  const large = { documentId: 'd', data: { text: 'x'.repeat(11 * MIB) } };
  const path = '/databases/none/collections/none/documents';
  await Promise.all(Array.from({ length: 40 }, () => json('POST', path, large)));
  return { 'bodies: grown, MiB': growth(server, before, 'most') };
}

/** Opens a hundred clients that each request a file of 10 MB five times and do not read the responses. */
async function unreadDownloads(server: BackendProcess): Promise<Figures> {
  const bucket = { bucketId: 'b', name: 'b', permissions: ['read("any")'] };
  await createClient(server.endpoint).json('POST', '/storage/buckets', bucket);
  await upload(server, 'large', Buffer.alloc(10_000_000, 'ink '));
  await server.memory();
  const before = server.resident().now;
  const request = `GET /v1/storage/buckets/b/files/large/view?project=${PROJECT} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const clients = Array.from({ length: 100 }, () => {
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => {});
    client.write(request.repeat(5));
    return client;
  });
  await Promise.all(clients.map((client) => once(client, 'readable')));
  await atRest(server);
  const grown = growth(server, before, 'now');
  for (const client of clients) client.destroy();
  return { 'unread downloads: grown, MiB': grown };
}

export const attack: Attack = {
  title: 'large uploads, large bodies and downloads that are not read, many at once',
  limits: {
    'uploads: refused': 0,
    'uploads: grown, MiB': 128,
    'bodies: grown, MiB': 320,
    'unread downloads: grown, MiB': 128,
  },
  async run() {
    let figures: Figures = {};
    for (const flood of [uploads, bodies, unreadDownloads]) {
      using folder = temporaryFolder();
      await using server = await startBackendProcess(folder.path);
      figures = { ...figures, ...(await flood(server)) };
    }
    return figures;
  },
};
