import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '@common-ink/http/listen.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { letWrite } from '#backend/people/who-writes.ts';
import type { ServerTarget } from '#backend/target.ts';
import { buildIsStale } from '../../scripts/build-stamp.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../support/embedded-site.ts';
import {
  type Counts,
  contents,
  counts,
  databasesOf,
  fill,
  publishStatus,
  QUICK_HASH_PASSWORD,
  ROLES,
  rolesIn,
  signInStatus,
  storageOf,
  teamsOf,
  usersOf,
} from './blog.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MEBIBYTE = 1024 * 1024;
/** `MOVE=full vitest run tests/move` moves ten thousand documents and five hundred files. */
const FULL = process.env.MOVE === 'full';
const ofMixedSizes = (count: number) => [
  ...Array.from({ length: count - 3 }, (_, number) => 300 + (number % 200) * 7919),
  ...[5 * MEBIBYTE, 5 * MEBIBYTE + 1, 8 * MEBIBYTE],
];
const SIZE = FULL
  ? { users: 40, posts: 9500, revisions: 500, files: ofMixedSizes(500) }
  : { users: 12, posts: 320, revisions: 30, files: ofMixedSizes(27) };

const TIMEOUT = FULL ? 900_000 : 240_000;
vi.setConfig({ testTimeout: TIMEOUT });

let own: EmbeddedSite;
let other: EmbeddedSite;
let before: Record<string, unknown>;

beforeAll(async () => {
  // `backup --check` starts the built server on the backup.
  if (buildIsStale()) execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.ts')], { stdio: 'inherit' });
  own = await openEmbeddedSite();
  other = await openEmbeddedSite({ provisioned: false });
  await fill(own.target, SIZE);
  before = await contents(own.target);
}, TIMEOUT);
afterAll(() => Promise.all([own.close(), other.close()]));

/** Runs `npm run move` beside the running site and kills it with SIGKILL as soon as `until` holds at the target. */
async function runMove(
  direction: '--to' | '--from',
  args: string[] = [],
  until?: (there: Counts) => boolean,
  { target, folder } = own,
  endpoint = other.target.endpoint,
) {
  const child = spawn(
    process.execPath,
    [
      ...[join(ROOT, 'scripts', 'move.ts'), direction, endpoint],
      ...['--project', other.target.projectId, '--key', other.target.apiKey, ...args],
    ],
    {
      env: {
        ...process.env,
        DATA_DIR: folder,
        PORT: new URL(target.endpoint).port,
        APPWRITE_PROJECT_ID: target.projectId,
        APPWRITE_API_KEY: target.apiKey,
      },
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      said += part;
    });
  }
  const ended = once(child, 'close');
  const receiving: ServerTarget = direction === '--to' ? other.target : target;
  while (until && child.exitCode === null) {
    if (until(await counts(receiving))) {
      child.kill('SIGKILL');
      break;
    }
    await wait(20);
  }
  const [code, signal] = await ended;
  return { code, signal, said };
}

it('a dry run counts and changes nothing', async () => {
  const { code, said } = await runMove('--to', ['--dry-run']);
  expect(said).toMatch(/would be given what it lacks of the schema:\n(?: {2}.+\n)* {2}database blog: created\n/);
  expect(said).toContain(`revisions: ${SIZE.revisions} would be created`);
  expect(said).toContain(`users: ${SIZE.users} would be created, 0 would be updated, 0 the same already`);
  expect(said).toContain('members: 3 would be created, 0 would be updated, 0 the same already');
  expect(said).toContain(`posts: ${SIZE.posts} would be created`);
  expect(said).toContain(`files: ${SIZE.files.length} would be created`);
  expect(code).toBe(0);
  expect(await counts(other.target)).toEqual({ users: 0, posts: 0, revisions: 0, files: 0 });
});

it('a move that is killed among the files and among the posts goes on, and both ends are equal, byte for byte', async () => {
  const amongFiles = await runMove('--to', [], ({ files }) => files >= 5);
  const later = await runMove('--to', [], ({ files }) => files >= SIZE.files.length / 2);
  const amongPosts = await runMove('--to', [], ({ posts }) => posts >= 100);
  expect([amongFiles.signal, later.signal, amongPosts.signal]).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect((await counts(other.target)).posts).toBeLessThan(SIZE.posts);
  const { code, said } = await runMove('--to');
  expect(said).toContain('Both ends were compared and are equal.');
  expect(code).toBe(0);
  expect(await contents(other.target)).toEqual(before);
});

it('everyone signs in there with the old password, and with no other', async () => {
  expect(await signInStatus(other.target, 'user-0@example.com', QUICK_HASH_PASSWORD)).toBe(201);
  expect(await signInStatus(other.target, 'user-5@example.com', QUICK_HASH_PASSWORD)).toBe(201);
  expect(await signInStatus(other.target, 'user-0@example.com', 'Another-1!')).toBe(401);
  expect(await signInStatus(other.target, `user-${SIZE.users - 1}@example.com`, QUICK_HASH_PASSWORD)).toBe(403);
});

it('whoever is no member may publish there no more than here', async () => {
  expect(await publishStatus(own.target, 'user-6')).toBe(401);
  expect(await publishStatus(other.target, 'user-6')).toBe(401);
});

it('a second run changes nothing', async () => {
  const { code, said } = await runMove('--to');
  for (const [stage, number] of Object.entries({ ...SIZE, members: 3, files: SIZE.files.length })) {
    expect(said).toContain(`${stage}: 0 created, 0 updated, ${number} the same already`);
  }
  expect(code).toBe(0);
});

it('an empty site gets all of it back', async () => {
  const empty = await openEmbeddedSite();
  try {
    const { code } = await runMove('--from', [], undefined, empty);
    expect(code).toBe(0);
    expect(await contents(empty.target)).toEqual(before);
  } finally {
    await empty.close();
  }
});

it('a backup of a real Appwrite is one of an embedded backend, which can be restored', async () => {
  const { endpoint, ...ids } = other.target;
  const remote = { APPWRITE_ENDPOINT: endpoint, APPWRITE_PROJECT_ID: ids.projectId, APPWRITE_API_KEY: ids.apiKey };
  const file = join(other.folder, 'backup.zip');
  const command = async (name: string, args: string[], environment: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts', `${name}.ts`), ...args], {
      env: { ...process.env, DATA_DIR: join(other.folder, 'site'), ...environment },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
    await once(child, 'close');
    return said;
  };
  expect(await command('backup', [file, '--check'], remote)).toContain('The backup can be restored.');
  const restored = join(other.folder, 'restored');
  expect(await command('restore', [file], { DATA_DIR: restored })).toContain(`${SIZE.users} accounts`);
  const site = await openEmbeddedSite({ provisioned: false, directory: join(restored, 'backend') });
  try {
    expect(await contents(site.target)).toEqual(before);
  } finally {
    await site.close();
  }
});

it('what was lost or changed here is fetched back, and what is newer here is left alone', async () => {
  const { databaseId, collectionId, bucketId } = own.target;
  const [databases, storage, users] = [databasesOf(own.target), storageOf(own.target), usersOf(own.target)];
  for (const number of [3, 104, 319]) {
    await databases.deleteDocument({ databaseId, collectionId, documentId: `post-${number}` });
  }
  await storage.deleteFile({ bucketId, fileId: 'file-25' });
  await users.delete({ userId: 'user-2' });
  await users.updateName({ userId: 'user-3', name: 'Changed' });
  await users.updateEmail({ userId: 'user-4', email: 'other@example.com' });
  const older = { title: 'Older', $updatedAt: '2019-01-01T00:00:00.000+00:00' };
  await databases.updateDocument({ databaseId, collectionId, documentId: 'post-7', data: older });
  await databases.updateDocument({ databaseId, collectionId, documentId: 'post-8', data: { title: 'Newer' } });
  const { code, said } = await runMove('--from');
  expect(said).toContain(`posts: 3 created, 1 updated, ${SIZE.posts - 5} the same already`);
  expect(said).toMatch(/left alone: post-8: changed at the receiving end on 20/);
  expect(said).toContain('files: 1 created, 0 updated');
  expect(said).toContain('users: 1 created, 1 updated');
  expect(said).toContain('members: 1 created, 0 updated, 2 the same already');
  expect(said).toContain('left alone: user-3@example.com: the name was changed at the receiving end');
  expect(code).toBe(0);
  const after = await contents(own.target);
  expect(after['post post-8']).toMatchObject({ title: 'Newer' });
  expect(after['user user-3']).toMatchObject({ name: 'Changed' });
  const kept = { 'post post-8': before['post post-8'], 'user user-3': before['user user-3'] };
  expect({ ...after, ...kept }).toEqual(before);
});

it('an account with a telephone number and no e-mail is moved with it', async () => {
  await usersOf(own.target).create({ userId: 'by-phone', phone: '+4915112345678', name: 'Ada' });
  const { code, said } = await runMove('--to');
  expect(said).toContain('users: 1 created');
  expect(code).toBe(0);
  expect(await usersOf(other.target).get({ userId: 'by-phone' })).toMatchObject({ phone: '+4915112345678', email: '' });
  expect((await runMove('--to')).said).toContain('users: 0 created, 0 updated');
});

interface Listed {
  readonly users?: readonly { readonly $id: string }[];
  readonly memberships?: readonly { readonly userId: string }[];
}

/** Proxies the other Appwrite and changes its lists. */
async function withLists(changed: (list: Listed) => Listed): Promise<{ endpoint: string; close: () => void }> {
  const there = new URL(other.target.endpoint);
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? '', there), {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).flatMap(([name, value]) =>
        name === 'host' || name === 'connection' ? [] : [[name, String(value)] as [string, string]],
      ),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const isList = /\/(?:users|memberships)\?/.test(request.url ?? '');
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(isList ? JSON.stringify(changed(JSON.parse(body.toString()))) : body);
  });
  await listen(server, 0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

/** Proxies the other Appwrite with this user's password in an older hash. */
const withOlderHash = (userId: string) =>
  withLists(({ users = [], ...list }) => ({
    ...list,
    users: users.map((user) => (user.$id === userId ? { ...user, hash: 'bcrypt' } : user)),
  }));

it('a password that cannot be taken is named once; its account is there, and the run ends well', async () => {
  await usersOf(own.target).delete({ userId: 'user-5' });
  const older = await withOlderHash('user-5');
  for (const made of [1, 0]) {
    const { code, said } = await runMove('--from', [], undefined, own, older.endpoint);
    expect(said).toContain(`users: ${made} created, 0 updated`);
    expect(said.match(/user-5@example\.com \(bcrypt\)/g)).toHaveLength(1);
    expect(code).toBe(0);
  }
  expect((await usersOf(own.target).get({ userId: 'user-5' })).password).toBe('');
  // The target keeps a password that was set there.
  await usersOf(own.target).updatePassword({ userId: 'user-5', password: 'Set-anew-1' });
  const { code, said } = await runMove('--from', [], undefined, own, older.endpoint);
  expect(said).toContain('users: 0 created, 0 updated');
  expect(said).not.toContain('left alone: user-5');
  expect(code).toBe(0);
  older.close();
  expect(await usersOf(own.target).get({ userId: 'user-5' })).toMatchObject({
    email: 'user-5@example.com',
    password: expect.stringMatching(/^\$argon2/),
  });
});

it('a role that somebody has there outlives an account that is made anew for its changed password', async () => {
  await teamsOf(other.target).createMembership({ teamId: 'site', userId: 'user-7', roles: ['editor'] });
  for (const userId of ['user-2', 'user-7']) {
    await usersOf(own.target).updatePassword({ userId, password: 'Changed-1' });
  }
  const { code, said } = await runMove('--to');
  // The third is the user whose password changed above.
  expect(said).toContain('users: 0 created, 3 updated');
  expect(code).toBe(0);
  expect(await signInStatus(other.target, 'user-7@example.com', 'Changed-1')).toBe(201);
  expect(await rolesIn(other.target)).toEqual({ ...ROLES, 'user-7': 'editor' });
});

it('a role that was changed here is changed there, and one that is newer there is left alone', async () => {
  const change = async ({ target }: EmbeddedSite, userId: string, role: string) => {
    const { memberships } = await teamsOf(target).listMemberships({ teamId: 'site' });
    const membershipId = memberships.find((each) => each.userId === userId)?.$id ?? '';
    await teamsOf(target).updateMembership({ teamId: 'site', membershipId, roles: [role] });
  };
  await change(own, 'user-3', 'writer');
  // The move creates the account again, after the role was changed at the source.
  await usersOf(own.target).updatePassword({ userId: 'user-3', password: 'Changed-1' });
  await change(other, 'user-4', 'editor');
  const { code, said } = await runMove('--to');
  expect(said).toContain('members: 0 created, 1 updated, 1 the same already');
  expect(said).toContain('left alone: user-4@example.com: the role was changed at the receiving end');
  expect(code).toBe(0);
  expect(await rolesIn(other.target)).toMatchObject({ 'user-3': 'writer', 'user-4': 'editor' });
});

it('whoever has not answered an invitation gets no role, and is named', async () => {
  const inviting = await withLists(({ memberships, ...list }) => ({
    ...list,
    ...(memberships && {
      memberships: memberships.map((each) => (each.userId === 'user-7' ? { ...each, confirm: false } : each)),
    }),
  }));
  const { code, said } = await runMove('--from', [], undefined, own, inviting.endpoint);
  expect(said).toContain('left alone: user-7@example.com: has not answered an invitation; invite them again');
  expect(code).toBe(0);
  inviting.close();
  expect(await rolesIn(own.target)).not.toHaveProperty('user-7');
});

it('an account with a second factor is named until it has one there', async () => {
  await usersOf(own.target).updateMFA({ userId: 'user-8', mfa: true });
  const { code, said } = await runMove('--to');
  expect(said).toMatch(/without their second factor.*: user-8@example\.com\n/);
  expect(code).toBe(0);
  await usersOf(other.target).updateMFA({ userId: 'user-8', mfa: true });
  expect((await runMove('--to')).said).not.toContain('second factor');
  // The move creates an account again if its password changed.
  await usersOf(own.target).updatePassword({ userId: 'user-8', password: 'Changed-1' });
  expect((await runMove('--to')).said).toMatch(/without their second factor.*: user-8@example\.com\n/);
});

it('a site that is there already keeps who may write, unless it has no posts yet', async () => {
  const empty = await openEmbeddedSite();
  try {
    expect((await runMove('--from', ['--dry-run'], undefined, empty)).said).toContain(
      'collection articles: permissions corrected',
    );
  } finally {
    await empty.close();
  }
  await letWrite(other.target, 'everyone');
  const { code, said } = await runMove('--to');
  expect(said).toContain(
    'left alone: who may write: everyone with an account at the receiving end, members alone at the source',
  );
  expect(code).toBe(0);
  expect(await publishStatus(own.target, 'user-6')).toBe(401);
});
