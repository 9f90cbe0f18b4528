/** Posts for the bench, written into a stopped site's backend: nobody is told of them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postPermissions } from '#blog/permissions.ts';
import { startBackendProcess } from '../../support/backend-process.ts';
import { PROJECT, startSite } from './servers.ts';

export const ARTICLES = '/databases/blog/collections/articles/documents';
export const WRITER = { userId: 'writer', email: 'writer@example.com', password: 'correct horse', name: 'A Writer' };
const IN_BULK = 100;

/** About 5 KB, as an article has. */
export const CONTENT = Array.from(
  { length: 8 },
  (_, i) => `<h2>Part ${i + 1}</h2><p>${'Ink spreads along the fibres until it meets the size. '.repeat(10)}</p>`,
).join('');

/** A new site's data folder with `count` posts of one writer. */
export async function madeSite(directory: string, count: number, content: string = CONTENT): Promise<string> {
  await (await startSite(directory)).stop();
  const key = (await readFile(join(directory, 'server-key'), 'utf8')).trim();
  const backend = await startBackendProcess(join(directory, 'backend'), {
    options: { projectId: PROJECT, keys: [{ secret: key }] },
  });
  const post = async (path: string, body: unknown) => {
    const headers = { 'x-appwrite-project': PROJECT, 'x-appwrite-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${backend.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  try {
    await post('/users', WRITER);
    for (let at = 0; at < count; at += IN_BULK) {
      const documents = Array.from({ length: Math.min(IN_BULK, count - at) }, (_, i) => ({
        $id: `post-${at + i}`,
        $permissions: postPermissions('active', WRITER.userId),
        title: `Post ${at + i} on paper and ink`,
        content,
        featuredImage: 'none',
        status: 'active',
        userId: WRITER.userId,
      }));
      await post(ARTICLES, { documents });
    }
  } finally {
    await backend.stop();
  }
  return directory;
}
