import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { openSubscribers, subscriberId } from '#backend/newsletter/subscribers.ts';
import { letWrite } from '#backend/people/who-writes.ts';
import { buildIsStale } from '../../scripts/build-stamp.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../support/embedded-site.ts';
import { listen } from '../support/gateway.ts';
import { startProgram } from '../support/program.ts';
import * as blog from './blog.ts';

const { contents, counts, publishStatus, rolesIn, signInStatus, teamsOf, usersOf } = blog;
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
const STAGES = Object.entries({
  ...{ ...SIZE, members: 3, files: SIZE.files.length },
  settings: blog.SETTINGS.length,
  subscribers: blog.SUBSCRIBERS.length,
  issues: 1,
  passkeys: blog.PASSKEYS.length,
});

// `backup --check` starts the built server on the backup.
if (buildIsStale()) execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.ts')], { stdio: 'inherit' });
const own = await openEmbeddedSite();
const other = await openEmbeddedSite({ provisioned: false, apiKey: 'standard_key-of-the-other-end' });
afterAll(() => Promise.all([own.close(), other.close()]));
await blog.fill(own.target, SIZE);
const before = await contents(own.target);

async function openForTest(options?: Parameters<typeof openEmbeddedSite>[0]): Promise<EmbeddedSite> {
  const site = await openEmbeddedSite(options);
  onTestFinished(site.close);
  return site;
}

/** Runs a script and kills it with SIGKILL as soon as `until` returns true. */
async function run(script: string, args: string[], environment: NodeJS.ProcessEnv, until?: () => Promise<boolean>) {
  const env = { ...process.env, ...environment };
  const { child, ended, said } = startProgram(process.execPath, [join(ROOT, 'scripts', script), ...args], { env });
  while (until && child.exitCode === null && !child.killed) {
    if (await until()) child.kill('SIGKILL');
    else await wait(20);
  }
  return { code: await ended, signal: child.signalCode, said: said() };
}

/** Runs `npm run move` beside the running site, and kills it once `until` holds for the target's counts. */
function runMove(
  direction: '--to' | '--from',
  args: string[] = [],
  until?: (there: blog.Counts) => boolean,
  { target, folder } = own,
  endpoint = other.target.endpoint,
) {
  const there = ['--project', other.target.projectId, '--key', other.target.apiKey, ...args];
  const receiving = direction === '--to' ? other.target : target;
  const environment = {
    DATA_DIR: folder,
    PORT: new URL(target.endpoint).port,
    APPWRITE_PROJECT_ID: target.projectId,
    APPWRITE_API_KEY: target.apiKey,
  };
  const reached = until && (async () => until(await counts(receiving)));
  return run('move.ts', [direction, endpoint, ...there], environment, reached);
}

async function moved(...given: Parameters<typeof runMove>): Promise<string> {
  const { code, said } = await runMove(...given);
  expect(code, said).toBe(0);
  return said;
}

it('a dry run counts and changes nothing', async () => {
  const said = await moved('--to', ['--dry-run']);
  expect(said).toMatch(
    /These parts of the schema would be created at the destination:\n(?: {2}.+\n)* {2}database blog: created\n/,
  );
  for (const [stage, number] of STAGES)
    expect(said).toContain(`${stage}: ${number} would be created, 0 would be updated, 0 already up to date`);
  expect(await counts(other.target)).toEqual({ users: 0, posts: 0, revisions: 0, files: 0 });
});

it('a move that is killed among the files and among the posts goes on, and both ends are equal, byte for byte', async () => {
  const amongFiles = await runMove('--to', [], ({ files }) => files >= 5);
  const later = await runMove('--to', [], ({ files }) => files >= SIZE.files.length / 2);
  const amongPosts = await runMove('--to', [], ({ posts }) => posts >= 100);
  expect([amongFiles.signal, later.signal, amongPosts.signal]).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect((await counts(other.target)).posts).toBeLessThan(SIZE.posts);
  expect(await moved('--to')).toContain('Source and destination were compared and are identical.');
  expect(await contents(other.target)).toEqual(before);
});

it('everyone signs in there with the old password, and with no other', async () => {
  const there = (user: number, password = blog.QUICK_HASH_PASSWORD) =>
    signInStatus(other.target, `user-${user}@example.com`, password);
  expect([await there(0), await there(5)]).toEqual([201, 201]);
  expect([await there(0, 'Another-1!'), await there(SIZE.users - 1)]).toEqual([401, 403]);
});

it('subscribers can be written to there, with the links they have, and those who left stay out', async () => {
  const [here, there] = [openSubscribers(own.target), openSubscribers(other.target)];
  for (const address of blog.SUBSCRIBERS) {
    const [one, moved] = [await here.find(subscriberId(address)), await there.find(subscriberId(address))];
    expect(moved).toEqual(one);
    expect(moved?.address).toBe(one?.state === 'left' ? '' : address);
  }
  expect(await there.importAll([{ address: 'gone@example.com' }])).toEqual({ added: 0, known: 0, left: 1 });
  const stored = await blog
    .databasesOf(other.target)
    .listDocuments({ databaseId: 'blog', collectionId: 'subscribers' });
  expect(JSON.stringify(stored)).not.toContain('@example.com');
});

it('whoever is no member may publish there no more than here', async () => {
  expect(await publishStatus(own.target, 'user-6')).toBe(401);
  expect(await publishStatus(other.target, 'user-6')).toBe(401);
});

it('a second run changes nothing', async () => {
  const said = await moved('--to');
  for (const [stage, number] of STAGES)
    expect(said).toContain(`${stage}: 0 created, 0 updated, ${number} already up to date`);
});

it('an empty site gets all of it back', async () => {
  const empty = await openForTest();
  await moved('--from', [], undefined, empty);
  expect(await contents(empty.target)).toEqual(before);
});

it('a backup of a real Appwrite is one of an embedded backend, which can be restored', async () => {
  const { endpoint, ...ids } = other.target;
  const remote = { APPWRITE_ENDPOINT: endpoint, APPWRITE_PROJECT_ID: ids.projectId, APPWRITE_API_KEY: ids.apiKey };
  const file = join(other.folder, 'backup.zip');
  const DATA_DIR = join(other.folder, 'site');
  const backup = await run('backup.ts', [file, '--check'], { DATA_DIR, ...remote });
  expect(backup.said).toContain('The backup can be restored.');
  const restored = join(other.folder, 'restored');
  const restore = await run('restore.ts', [file], { DATA_DIR: restored });
  expect(restore.said).toContain(`${SIZE.users} accounts`);
  const site = await openForTest({ provisioned: false, directory: join(restored, 'backend') });
  expect(await contents(site.target)).toEqual(before);
});

it('what was lost or changed here is fetched back, and what is newer here is left alone', async () => {
  const { databaseId, collectionId, bucketId } = own.target;
  const [databases, storage, users] = [blog.databasesOf(own.target), blog.storageOf(own.target), usersOf(own.target)];
  for (const number of [3, 104, 319])
    await databases.deleteDocument({ databaseId, collectionId, documentId: `post-${number}` });
  await storage.deleteFile({ bucketId, fileId: 'file-25' });
  await users.delete({ userId: 'user-2' });
  await users.updateName({ userId: 'user-3', name: 'Changed' });
  await users.updateEmail({ userId: 'user-4', email: 'other@example.com' });
  const older = { title: 'Older', $updatedAt: '2019-01-01T00:00:00.000+00:00' };
  await databases.updateDocument({ databaseId, collectionId, documentId: 'post-7', data: older });
  await databases.updateDocument({ databaseId, collectionId, documentId: 'post-8', data: { title: 'Newer' } });
  const said = await moved('--from');
  expect(said).toContain(`posts: 3 created, 1 updated, ${SIZE.posts - 5} already up to date`);
  expect(said).toMatch(/left alone: post-8: changed at the destination on 20/);
  for (const line of [
    'files: 1 created, 0 updated',
    'users: 1 created, 1 updated',
    'members: 1 created, 0 updated, 2 already up to date',
    'left alone: user-3@example.com: the name was changed at the destination',
  ])
    expect(said).toContain(line);
  const after = await contents(own.target);
  expect(after['post post-8']).toMatchObject({ title: 'Newer' });
  expect(after['user user-3']).toMatchObject({ name: 'Changed' });
  const kept = { 'post post-8': before['post post-8'], 'user user-3': before['user user-3'] };
  expect({ ...after, ...kept }).toEqual(before);
});

it('an account with a telephone number and no e-mail is moved with it', async () => {
  await usersOf(own.target).create({ userId: 'by-phone', phone: '+4915112345678', name: 'Ada' });
  expect(await moved('--to')).toContain('users: 1 created');
  expect(await usersOf(other.target).get({ userId: 'by-phone' })).toMatchObject({ phone: '+4915112345678', email: '' });
  expect(await moved('--to')).toContain('users: 0 created, 0 updated');
});

interface Listed {
  readonly users?: readonly { readonly $id: string }[];
  readonly memberships?: readonly { readonly userId: string }[];
}

/** Starts a proxy that changes the other Appwrite's lists of users and members. Returns the proxy's endpoint. */
async function withLists(changed: (list: Listed) => Listed): Promise<string> {
  const there = new URL(other.target.endpoint);
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
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
  onTestFinished(() => void server.close());
  return `${await listen(server)}/v1`;
}

it('a password that cannot be taken is named once; its account is there, and the run ends well', async () => {
  await usersOf(own.target).delete({ userId: 'user-5' });
  const older = await withLists(({ users = [], ...list }) => ({
    ...list,
    users: users.map((user) => (user.$id === 'user-5' ? { ...user, hash: 'bcrypt' } : user)),
  }));
  for (const made of [1, 0]) {
    const said = await moved('--from', [], undefined, own, older);
    expect(said).toContain(`users: ${made} created, 0 updated`);
    expect(said.match(/user-5@example\.com \(bcrypt\)/g)).toHaveLength(1);
  }
  expect((await usersOf(own.target).get({ userId: 'user-5' })).password).toBe('');
  // The target keeps a password that was set there.
  await usersOf(own.target).updatePassword({ userId: 'user-5', password: 'Set-anew-1' });
  const said = await moved('--from', [], undefined, own, older);
  expect(said).toContain('users: 0 created, 0 updated');
  expect(said).not.toContain('left alone: user-5');
  const password = expect.stringMatching(/^\$argon2/);
  const kept = { email: 'user-5@example.com', password };
  expect(await usersOf(own.target).get({ userId: 'user-5' })).toMatchObject(kept);
});

it('a role that somebody has there outlives an account that is made anew for its changed password', async () => {
  await teamsOf(other.target).createMembership({ teamId: 'site', userId: 'user-7', roles: ['editor'] });
  for (const userId of ['user-2', 'user-7'])
    await usersOf(own.target).updatePassword({ userId, password: 'Changed-1' });
  // The third account is user-5, whose password was changed in the previous test.
  expect(await moved('--to')).toContain('users: 0 created, 3 updated');
  expect(await signInStatus(other.target, 'user-7@example.com', 'Changed-1')).toBe(201);
  expect(await rolesIn(other.target)).toEqual({ ...blog.ROLES, 'user-7': 'editor' });
});

it('a role that was changed here is changed there, and one that is newer there is left alone', async () => {
  const change = async ({ target }: EmbeddedSite, userId: string, role: string) => {
    const { memberships } = await teamsOf(target).listMemberships({ teamId: 'site' });
    const membershipId = memberships.find((each) => each.userId === userId)?.$id ?? '';
    await teamsOf(target).updateMembership({ teamId: 'site', membershipId, roles: [role] });
  };
  await change(own, 'user-3', 'writer');
  // Because of the new password, the move creates the account again, which must get the role from the source.
  await usersOf(own.target).updatePassword({ userId: 'user-3', password: 'Changed-1' });
  await change(other, 'user-4', 'editor');
  const said = await moved('--to');
  expect(said).toContain('members: 0 created, 1 updated, 1 already up to date');
  expect(said).toContain('left alone: user-4@example.com: the role was changed at the destination');
  expect(await rolesIn(other.target)).toMatchObject({ 'user-3': 'writer', 'user-4': 'editor' });
});

it('whoever has not answered an invitation gets no role, and is named', async () => {
  const invited = (each: { readonly userId: string }) =>
    each.userId === 'user-7' ? { ...each, confirm: false } : each;
  const inviting = await withLists(({ memberships, ...list }) =>
    memberships ? { ...list, memberships: memberships.map(invited) } : list,
  );
  const said = await moved('--from', [], undefined, own, inviting);
  expect(said).toContain('left alone: user-7@example.com: has not answered the invitation; invite them again');
  expect(await rolesIn(own.target)).not.toHaveProperty('user-7');
});

it('a person whose passkey is for another host is named', async () => {
  await blog.addPasskey(own.target, 'user-3', 'former.example');
  const said = await moved('--to');
  expect(said).toContain('passkeys: 1 created');
  expect(said).toMatch(/without a passkey that works here.*: user-3@example\.com\n/);
  expect(said).toContain('apart from what is listed above');
});

it('an account with a second factor is named until it has one there', async () => {
  await usersOf(own.target).updateMFA({ userId: 'user-8', mfa: true });
  const named = /without a second factor.*: user-8@example\.com\n/;
  expect(await moved('--to')).toMatch(named);
  await usersOf(other.target).updateMFA({ userId: 'user-8', mfa: true });
  expect(await moved('--to')).not.toContain('second factor');
  // The move creates an account again if its password changed, and then the account has no second factor.
  await usersOf(own.target).updatePassword({ userId: 'user-8', password: 'Changed-1' });
  expect(await moved('--to')).toMatch(named);
});

it('a site that is there already keeps who may write, unless it has no posts yet', async () => {
  const dry = await moved('--from', ['--dry-run'], undefined, await openForTest());
  expect(dry).toContain('collection articles: permissions corrected');
  await letWrite(other.target, 'everyone');
  expect(await moved('--to')).toContain(
    'left alone: who may write: everyone with an account at the destination, only members at the source',
  );
  expect(await publishStatus(own.target, 'user-6')).toBe(401);
});
