import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { provision } from '#backend/provision.ts';
import { postPermissions } from '#blog/permissions.ts';
import { KEY, PROJECT } from '../support/backend-process.ts';

export const DATABASE = 'blog';
export const BUCKET = 'media';
export const AUTHOR = 'bench-author';
const IN_BULK = 100;

/** About 3 KB, like an article of five hundred words. */
const CONTENT = Array.from(
  { length: 8 },
  (_, i) =>
    `<h2>Part ${i + 1}</h2><p>${'Ink spreads along the fibres until it meets the size that the maker brushed on. '.repeat(4)}</p>`,
).join('');

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

export async function asKey(endpoint: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${endpoint}${path}`, {
    method,
    headers: { 'x-appwrite-project': PROJECT, 'x-appwrite-key': KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

/** Fills a collection like the product's with `count` posts, four of five active; returns its id. */
export async function fillCollection(endpoint: string, count: number): Promise<string> {
  const collectionId = `posts-${count}`;
  const ids = { databaseId: DATABASE, collectionId, revisionsId: `revisions-${count}`, bucketId: BUCKET };
  await provision({ ...ids, endpoint, projectId: PROJECT, apiKey: KEY });
  const permissions = { active: postPermissions('active', AUTHOR), inactive: postPermissions('inactive', AUTHOR) };
  for (let from = 0; from < count; from += IN_BULK) {
    const documents = Array.from({ length: Math.min(IN_BULK, count - from) }, (_, i) => {
      const status = i % 5 === 4 ? 'inactive' : 'active';
      const id = `post-${from + i}`;
      return { $id: id, $permissions: permissions[status], ...postData(`Post ${from + i} on paper and ink`, status) };
    });
    await asKey(endpoint, 'POST', `/databases/${DATABASE}/collections/${collectionId}/documents`, { documents });
  }
  return collectionId;
}

export async function signIn(endpoint: string): Promise<string> {
  const account = { email: 'bench@example.com', password: 'correct horse' };
  await asKey(endpoint, 'POST', '/users', { userId: AUTHOR, name: 'Bench', ...account });
  const response = await fetch(`${endpoint}/account/sessions/email`, {
    method: 'POST',
    headers: { 'x-appwrite-project': PROJECT, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

export function picture(): Promise<Buffer> {
  const [width, height] = [272, 250];
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

export function uploadForm(
  file: Buffer,
  fileId: string,
  permissions: readonly string[],
): { body: Buffer; type: string } {
  const boundary = '----formdata-bench-0123456789';
  const part = (name: string, rest: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`;
  const fields = [
    part('fileId', `\r\n\r\n${fileId}\r\n`),
    ...permissions.map((p) => part('permissions[]', `\r\n\r\n${p}\r\n`)),
  ];
  const head = `${fields.join('')}${part('file', '; filename="picture.png"\r\nContent-Type: image/png\r\n\r\n')}`;
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
