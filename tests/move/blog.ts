/** Fills a blog to move (users with password hashes, posts with dates, files of mixed sizes) and reads its contents. */
import { createHash, randomBytes } from 'node:crypto';
import { Databases, type Models, Query, Storage, Teams, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { openIssues } from '#backend/newsletter/issues.ts';
import { openSubscribers, subscriberId } from '#backend/newsletter/subscribers.ts';
import { openPasskeyStore, proofOf } from '#backend/passkeys/stored-passkeys.ts';
import { letWrite } from '#backend/people/who-writes.ts';
import { type ServerTarget, serverClient } from '#backend/target.ts';
import { SITE_TEAM } from '#blog/people.ts';
import { SETTINGS_ID } from '#blog/site-settings/stored.ts';

/** Shared by all accounts with a password: its hash is computed only once, so that creating many of them is quick. */
export const QUICK_HASH_PASSWORD = 'Secret1!';

export const usersOf = (place: ServerTarget) => new Users(serverClient(place));
export const databasesOf = (place: ServerTarget) => new Databases(serverClient(place));
export const storageOf = (place: ServerTarget) => new Storage(serverClient(place));
export const teamsOf = (place: ServerTarget) => new Teams(serverClient(place));

export const ROLES = { 'user-2': 'owner', 'user-3': 'editor', 'user-4': 'writer' };

export async function rolesIn(place: ServerTarget): Promise<Record<string, string>> {
  const { memberships } = await teamsOf(place).listMemberships({ teamId: SITE_TEAM });
  return Object.fromEntries(memberships.map(({ userId, roles }) => [userId, roles.join()]));
}

export type Counts = Readonly<Record<'users' | 'posts' | 'revisions' | 'files', number>>;
/** Numbers of users, posts and revisions, and the sizes of files. The first `revisions` posts have a revision each. */
export type BlogSize = Omit<Counts, 'files'> & { readonly files: readonly number[] };

/** The successive stored versions of the site's settings. */
export const SETTINGS = [{ name: 'First' }, { name: 'Second: “ink” 墨', perPage: 12 }];

const pictureOf = (size: number) => Buffer.concat([Buffer.from('GIF89a'), randomBytes(size - 6)]);
const day = (number: number) => new Date(Date.UTC(2020, 0, 1) + number * 86_400_000 + number).toISOString();

/**
 * Fills `place` and lets only members write there. Every tenth user has labels and preferences; one user is blocked,
 * one has no password.
 */
export async function fill(place: ServerTarget, { users, posts, revisions, files }: BlogSize): Promise<void> {
  const api = usersOf(place);
  const first = await api.create({ userId: 'user-0', email: 'user-0@example.com', password: QUICK_HASH_PASSWORD });
  const { password = '' } = await api.get({ userId: first.$id });
  for (let number = 1; number < users; number += 1) {
    const account = { userId: `user-${number}`, email: `user-${number}@example.com`, name: `User ${number}` };
    if (number === 1) await api.create(account);
    else await api.createArgon2User({ ...account, password });
    if (number % 10 === 2) {
      await api.updateLabels({ userId: account.userId, labels: ['editor', 'vip'] });
      await api.updatePrefs({ userId: account.userId, prefs: { theme: 'dark', size: 3 } });
      await api.updateEmailVerification({ userId: account.userId, emailVerification: true });
    }
  }
  await api.updateStatus({ userId: `user-${users - 1}`, status: false });
  await letWrite(place, 'members');
  for (const [userId, role] of Object.entries(ROLES))
    await teamsOf(place).createMembership({ teamId: SITE_TEAM, userId, roles: [role] });

  for (const [number, size] of files.entries()) {
    const owner = `user:user-${number % users}`;
    await storageOf(place).createFile({
      bucketId: place.bucketId,
      fileId: `file-${number}`,
      file: InputFile.fromBuffer(pictureOf(size), `picture ${number} ü.gif`),
      permissions: number % 3 ? ['read("any")', `update("${owner}")`, `delete("${owner}")`] : [`read("${owner}")`],
    });
  }

  const { databaseId, collectionId } = place;
  for (let begin = 0; begin < posts; begin += 100) {
    const documents = Array.from({ length: Math.min(100, posts - begin) }, (_, index) => {
      const number = begin + index;
      const author = `user-${number % users}`;
      const active = number % 4 !== 0;
      return {
        $id: `post-${number}`,
        title: `Title ${number}: “ink” & <paper> 墨`,
        content: `<p>${'Words and more words. '.repeat(10 + (number % 50))}</p>`,
        featuredImage: `file-${number % Math.max(1, files.length)}`,
        status: active ? 'active' : 'inactive',
        userId: author,
        $createdAt: day(number),
        $updatedAt: day(number + (number % 7)),
        $permissions: [active ? 'read("any")' : `read("user:${author}")`, `update("user:${author}")`],
      };
    });
    await databasesOf(place).createDocuments({ databaseId, collectionId, documents });
  }
  const versions = Array.from({ length: revisions }, (_, number) => ({
    $id: `revision-${number}`,
    postId: `post-${number}`,
    versionOf: day(number),
    title: `Former title ${number}`,
    content: `<p>${'Former words. '.repeat(number)}</p>`,
    status: 'active',
    size: number,
    $createdAt: day(number),
    $updatedAt: day(number),
    $permissions: [`read("user:user-${number % users}")`, `update("user:user-${number % users}")`],
  }));
  for (let begin = 0; begin < revisions; begin += 100) {
    const documents = versions.slice(begin, begin + 100);
    await databasesOf(place).createDocuments({ databaseId, collectionId: place.revisionsId, documents });
  }
  const settings = SETTINGS.map((given, number) => ({
    $id: `v000000000${number + 1}`,
    settings: JSON.stringify(given),
    userId: 'user-2',
    $createdAt: day(number),
    $updatedAt: day(number),
    $permissions: ['read("user:user-2")'],
  }));
  await databasesOf(place).createDocuments({ databaseId, collectionId: SETTINGS_ID, documents: settings });
  await fillNewsletter(place);
  for (const userId of PASSKEYS) await addPasskey(place, userId, '127.0.0.1');
}

/** Users with a passkey for the site's own host. */
export const PASSKEYS = ['user-0', 'user-2'];

export const addPasskey = (place: ServerTarget, userId: string, host: string): Promise<unknown> =>
  openPasskeyStore(place).add({
    ...{ userId, host, name: `Phone of ${userId}`, credentialId: `${userId} ${host}`, publicKey: 'pQECAyYgASFYIA' },
    ...{ counter: 7, transports: ['internal', 'hybrid'], provenFor: proofOf(`${userId}@example.com`) },
  });

export const SUBSCRIBERS = ['ann@example.com', 'bob@example.com', 'gone@example.com'];
const GONE = subscriberId('gone@example.com');

async function fillNewsletter(place: ServerTarget): Promise<void> {
  const subscribers = openSubscribers(place);
  await subscribers.importAll(SUBSCRIBERS.map((address) => ({ address, since: day(1) })));
  await subscribers.leave(GONE);
  const issues = openIssues(place);
  await issues.create('p-sent', ['post-1'], Date.parse(day(2)));
  await issues.update('p-sent', { sent: 1, cursor: GONE });
  await issues.setState('p-sent', ['waiting'], 'done');
}

async function all<T extends { $id: string }>(list: (queries: string[]) => Promise<readonly T[]>): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const last = rows.at(-1)?.$id;
    const page = await list([Query.limit(100), ...(last ? [Query.cursorAfter(last)] : [])]);
    rows.push(...page);
    if (page.length < 100) return rows;
  }
}

export async function counts(place: ServerTarget): Promise<Counts> {
  const { bucketId, databaseId, collectionId, revisionsId } = place;
  const queries = [Query.limit(1)];
  const total = (list: Promise<{ total: number }>) => list.then((answer) => answer.total).catch(() => 0);
  return {
    users: await total(usersOf(place).list({ queries })),
    posts: await total(databasesOf(place).listDocuments({ databaseId, collectionId, queries })),
    revisions: await total(databasesOf(place).listDocuments({ databaseId, collectionId: revisionsId, queries })),
    files: await total(storageOf(place).listFiles({ bucketId, queries })),
  };
}

/** Reads, over the API, everything that a move promises to keep, with files as hashes of their bytes. */
export async function contents(place: ServerTarget): Promise<Record<string, unknown>> {
  const { bucketId, databaseId, collectionId, revisionsId } = place;
  const [users, databases, storage] = [usersOf(place), databasesOf(place), storageOf(place)];
  const everything: Record<string, unknown> = { roles: await rolesIn(place) };
  for (const id of [collectionId, revisionsId, SETTINGS_ID]) {
    const { $permissions } = await databases.getCollection({ databaseId, collectionId: id });
    everything[`permissions of ${id}`] = [...$permissions].sort();
  }
  everything[`permissions of ${bucketId}`] = [...(await storage.getBucket({ bucketId })).$permissions].sort();
  for (const user of await all<Models.User>(async (queries) => (await users.list({ queries })).users)) {
    const { email, name, password, hash, labels, prefs, status, emailVerification } = user;
    everything[`user ${user.$id}`] = { email, name, password, hash, labels, prefs, status, emailVerification };
  }
  for (const [name, id] of [
    ['post', collectionId],
    ['revision', revisionsId],
    ['settings', SETTINGS_ID],
    ['passkey', 'passkeys'],
  ] as const) {
    const listed = (queries: string[]) => databases.listDocuments({ databaseId, collectionId: id, queries });
    for (const { $sequence, ...document } of await all(async (queries) => (await listed(queries)).documents))
      everything[`${name} ${document.$id}`] = document;
  }
  for (const file of await all(async (queries) => (await storage.listFiles({ bucketId, queries })).files)) {
    const bytes = Buffer.from(await storage.getFileDownload({ bucketId, fileId: file.$id }));
    const { name, mimeType, sizeOriginal, $permissions } = file;
    const hash = createHash('sha256').update(bytes).digest('hex');
    everything[`file ${file.$id}`] = { name, mimeType, sizeOriginal, $permissions, length: bytes.length, hash };
  }
  return everything;
}

const post = (place: ServerTarget, path: string, body: unknown, cookie = ''): Promise<Response> =>
  fetch(`${place.endpoint}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-appwrite-project': place.projectId, cookie },
    body: JSON.stringify(body),
  });

export async function signInStatus(place: ServerTarget, email: string, password: string): Promise<number> {
  return (await post(place, '/account/sessions/email', { email, password })).status;
}

/** Signs in with `QUICK_HASH_PASSWORD` and returns the status of an attempt to publish. */
export async function publishStatus(place: ServerTarget, userId: string): Promise<number> {
  const { databaseId, collectionId } = place;
  const credentials = { email: `${userId}@example.com`, password: QUICK_HASH_PASSWORD };
  const session = await post(place, '/account/sessions/email', credentials);
  const cookie = session.headers
    .getSetCookie()
    .map((each) => each.replace(/;.*/, ''))
    .join('; ');
  const data = { title: 'Mine', content: '<p>Mine</p>', featuredImage: 'file-0', status: 'active', userId };
  const document = { documentId: 'not-yet-there', data, permissions: [] };
  return (await post(place, `/databases/${databaseId}/collections/${collectionId}/documents`, document, cookie)).status;
}
