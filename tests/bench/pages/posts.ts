/** Writes posts into a stopped site's backend, without events. */
import { createAdmin } from '#backend/server-key/admin.ts';
import { postPermissions } from '#blog/permissions.ts';
import { readConfiguration } from '#server/configuration.ts';
import { startBackendProcess } from '../../support/backend-process.ts';
import { PROJECT, startSite } from './servers.ts';
import { type BenchPost, slugAt, type Texts } from './texts.ts';

export const ARTICLES = '/databases/blog/collections/articles/documents';
export const WRITER = { userId: 'writer', email: 'writer@example.com', password: 'correct horse', name: 'A Writer' };
const IN_BULK = 100;

export async function madeSite(
  directory: string,
  count: number,
  { pictures, at }: Pick<Texts, 'pictures' | 'at'>,
): Promise<string> {
  await (await startSite(directory)).stop();
  const { appwrite } = readConfiguration({ DATA_DIR: directory });
  const { apiKey = '' } = appwrite;
  const backend = await startBackendProcess(`${directory}/backend`, {
    options: { projectId: PROJECT, keys: [{ secret: apiKey }] },
  });
  const post = async (path: string, body: unknown) => {
    const headers = { 'x-appwrite-project': PROJECT, 'x-appwrite-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${backend.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  const documentOf = (n: number, fields: BenchPost) => ({
    $id: slugAt(n),
    $permissions: postPermissions('active', WRITER.userId),
    ...fields,
    status: 'active',
    userId: WRITER.userId,
  });
  try {
    await post('/users', WRITER);
    const admin = createAdmin({ ...appwrite, endpoint: backend.endpoint, apiKey });
    for (const { fileId, name, bytes } of pictures)
      await admin.uploadFile({ id: fileId, name, bytes: await bytes(), status: 'active', userId: WRITER.userId });
    for (let from = 0; from < count; from += IN_BULK) {
      const documents = Array.from({ length: Math.min(IN_BULK, count - from) }, (_, i) =>
        documentOf(from + i, at(from + i)),
      );
      await post(ARTICLES, { documents });
    }
  } finally {
    await backend.stop();
  }
  return directory;
}
