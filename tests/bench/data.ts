import { Client, Users } from 'node-appwrite';
import { provision } from '#backend/provision.ts';
import { article } from '../attack/cost/texts.ts';
import { KEY, PROJECT } from '../support/backend-process.ts';
import { createPosts } from '../support/bulk-posts.ts';

export const DATABASE = 'blog';
export const BUCKET = 'media';
export const AUTHOR = 'bench-author';
/** About 3 KB, like an article of five hundred words. */
const CONTENT = article(3000, 1);

export const postData = (title: string, status: 'active' | 'inactive') => ({
  title,
  content: CONTENT,
  featuredImage: 'bench-picture',
  status,
  userId: AUTHOR,
});

export const sdkHeaders = (cookie = ''): Record<string, string> => ({
  origin: 'http://localhost:4321',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: '*/*',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br',
  'x-appwrite-project': PROJECT,
  'x-appwrite-response-format': '2.0.0',
  'x-sdk-name': 'Web',
  'x-sdk-platform': 'client',
  'x-sdk-language': 'web',
  'x-sdk-version': '27.0.0',
  ...(cookie === '' ? {} : { cookie }),
});

const asKey = (endpoint: string): Client => new Client().setEndpoint(endpoint).setProject(PROJECT).setKey(KEY);

/** Creates a collection like the site's, stores `count` posts in it, four out of five active, and returns its id. */
export async function fillCollection(endpoint: string, count: number): Promise<string> {
  const collectionId = `posts-${count}`;
  const ids = { databaseId: DATABASE, collectionId, revisionsId: `revisions-${count}`, bucketId: BUCKET };
  await provision({ ...ids, endpoint, projectId: PROJECT, apiKey: KEY });
  const fieldsOf = (n: number) => postData(`Post ${n} on paper and ink`, n % 5 === 4 ? 'inactive' : 'active');
  await createPosts(asKey(endpoint), AUTHOR, count, fieldsOf, { databaseId: DATABASE, collectionId });
  return collectionId;
}

export async function signIn(endpoint: string): Promise<string> {
  const users = new Users(asKey(endpoint));
  await users.create({ userId: AUTHOR, name: 'Bench' });
  return `a_session_${PROJECT}=${(await users.createSession({ userId: AUTHOR })).secret}`;
}

export async function uploadForm(file: Buffer, fileId: string, permissions: readonly string[]) {
  const form = new FormData();
  form.set('fileId', fileId);
  for (const permission of permissions) form.append('permissions[]', permission);
  form.set('file', new File([new Uint8Array(file)], 'picture.png', { type: 'image/png' }));
  const encoded = new Response(form);
  return { body: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' };
}
