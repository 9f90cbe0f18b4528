/**
 * A writer stores as much as the server takes in forty seconds, with rate limits on: pictures, second chunks of pictures
 * that never began, posts, and former versions of posts. `UPLOAD_QUOTA_MB` is 64.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ID } from 'node-appwrite';
import { ownSite, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import type { Attack } from './attack.ts';

const DURATION = 40_000;
const MEBIBYTE = 1024 * 1024;
const CHUNK = 5 * MEBIBYTE;
/** Just within what the bucket takes. */
const PICTURE = 9_900_000;
const TEXT = 990_000;
/** Requests of one kind under way at a time. */
const AT_ONCE = 3;

/** Bytes on disk below a folder, holes not counted. */
function onDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0);
}

/** Begins as a PNG does. */
function noisyPicture(): Buffer<ArrayBuffer> {
  const bytes = randomBytes(PICTURE);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  return bytes;
}

/** One request after another until the end; gives how many were answered with which status. */
async function repeat(end: number, send: () => Promise<Response>): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  while (Date.now() < end) {
    const { status } = await send().then(async (response) => {
      await response.arrayBuffer();
      return response;
    });
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status >= 400) await pause(100);
  }
  return answers;
}

function kinds(site: RunningSite, writer: Writer): Record<string, () => Promise<Response>> {
  const headers = { 'x-appwrite-project': 'common-ink', 'x-appwrite-session': writer.session };
  const bytes = noisyPicture();
  const text = randomBytes(TEXT / 2).toString('hex');
  const upload = (from: number, to: number, more = {}) => {
    const form = new FormData();
    form.append('fileId', ID.unique());
    form.append('file', new File([bytes.subarray(from, to)], 'picture.png'));
    const path = '/storage/buckets/media/files';
    return fetch(site.backend + path, { method: 'POST', headers: { ...headers, ...more }, body: form });
  };
  const write = (path: string, body: object) =>
    fetch(`${site.backend}/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const post = () => ({ title: 'Hoarded', content: text, status: 'inactive', featuredImage: '' });
  return {
    pictures: () => upload(0, PICTURE),
    chunks: () => upload(CHUNK, PICTURE, { 'content-range': `bytes ${CHUNK}-${PICTURE - 1}/${PICTURE}` }),
    posts: () =>
      write('databases/blog/collections/articles/documents', {
        documentId: ID.unique(),
        data: { ...post(), userId: writer.id },
      }),
    'former versions': () =>
      write('tablesdb/blog/tables/revisions/rows', {
        rowId: ID.unique(),
        data: { ...post(), postId: ID.unique(), versionOf: new Date().toISOString(), size: TEXT },
      }),
  };
}

export const attack: Attack = {
  title: 'a writer stores as much as the server takes in 40 s, with rate limits on and a quota of 64 MB',
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on', UPLOAD_QUOTA_MB: '64' } });
    try {
      const folder = join(site.dataDirectory, 'backend');
      const before = onDisk(folder);
      const end = Date.now() + DURATION;
      const writer = await site.writer();
      const figures: Record<string, number | string> = {};
      await Promise.all(
        Object.entries(kinds(site, writer)).flatMap(([kind, send]) =>
          Array.from({ length: AT_ONCE }, async () => {
            for (const [status, count] of await repeat(end, send)) {
              const name = `${kind} answered ${status}`;
              figures[name] = Number(figures[name] ?? 0) + count;
            }
          }),
        ),
      );
      return { 'stored on disk, MiB': (onDisk(folder) - before) / MEBIBYTE, ...figures };
    } finally {
      await removeSite(site);
    }
  },
};
