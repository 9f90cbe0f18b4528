/** Writes posts into the backend of a stopped site, so that the site receives no events for them. */
import { Client, Users } from 'node-appwrite';
import { createAdmin } from '#backend/server-key/admin.ts';
import { readConfiguration } from '#server/configuration.ts';
import { startBackendProcess } from '../../support/backend-process.ts';
import { createPosts } from '../../support/bulk-posts.ts';
import { PROJECT, startSite } from './servers.ts';
import type { Texts } from './texts.ts';

export const ARTICLES = '/databases/blog/collections/articles/documents';
export const WRITER = { userId: 'writer', email: 'writer@example.com', password: 'correct horse', name: 'A Writer' };

export async function madeSite(directory: string, count: number, { pictures, at }: Pick<Texts, 'pictures' | 'at'>) {
  await (await startSite(directory)).stop();
  const { appwrite } = readConfiguration({ DATA_DIR: directory });
  const { apiKey = '' } = appwrite;
  const backend = await startBackendProcess(`${directory}/backend`, {
    options: { projectId: PROJECT, keys: [{ secret: apiKey }] },
  });
  const admin = createAdmin({ ...appwrite, endpoint: backend.endpoint, apiKey });
  const client = new Client().setEndpoint(backend.endpoint).setProject(PROJECT).setKey(apiKey);
  try {
    await new Users(client).create(WRITER);
    for (const { fileId, name, bytes } of pictures)
      await admin.uploadFile({ id: fileId, name, bytes: await bytes(), status: 'active', userId: WRITER.userId });
    await createPosts(client, WRITER.userId, count, at);
  } finally {
    await backend.stop();
  }
  return directory;
}
