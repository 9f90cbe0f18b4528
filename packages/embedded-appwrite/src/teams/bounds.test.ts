import { expect, it } from 'vitest';
import type { TestBackend } from '../../tests/support/backend.ts';
import { OLD_DATE, olderDatabase } from '../../tests/support/older-database.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { MOST_MEMBERS, MOST_TEAMS } from './bounds.ts';

const KIBIBYTE = 1024;
const MAIL = { host: '127.0.0.1', port: 1, secure: 'none', from: { address: 'blog@example.com' } } as const;
let server: TestBackend;

type As = { readonly cookies: string } | { readonly asKey: true };
const make = (teamId: string, as: As) => server.request('POST', '/teams', { ...as, body: { teamId, name: 'Crew' } });
const setPrefs = (teamId: string, bytes: number, as: As) =>
  server.request('PUT', `/teams/${teamId}/prefs`, { ...as, body: { prefs: { text: 'x'.repeat(bytes) } } });
const exists = async (teamId: string) =>
  (await server.request('GET', `/teams/${teamId}`, { asKey: true })).status === 200;
const invite = (teamId: string, email: string) =>
  server.request('POST', `/teams/${teamId}/memberships`, { asKey: true, body: { email, roles: [] } });

function inviteByMail({ cookies }: { cookies: string }, email: string) {
  const body = { email, roles: [], url: 'http://localhost/' };
  return server.request('POST', '/teams/crew/memberships', { cookies, body });
}

async function membershipOf(teamId: string, userId: string): Promise<string> {
  const { body } = await server.request('GET', `/teams/${teamId}/memberships`, { asKey: true });
  return `/teams/${teamId}/memberships/${body.memberships.find((each: { userId: string }) => each.userId === userId).$id}`;
}

it(`a user has at most ${MOST_TEAMS} teams, a key any number`, async () => {
  server = await backendOfTest();
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  for (let i = 0; i < MOST_TEAMS; i++) expect((await make(`t${i}`, ann)).status).toBe(201);
  expect(await make('more', ann)).toMatchObject({ status: 400, body: { type: 'general_bad_request' } });
  expect(await exists('more')).toBe(false);
  expect((await make('of-bob', bob)).status).toBe(201);
  expect((await make('of-key', { asKey: true })).status).toBe(201);
  await server.request('DELETE', '/teams/t0', ann);
  expect((await make('more', ann)).status).toBe(201);
});

it('a user counts teams with their preferences in the quota, deleted ones by their id', async () => {
  server = await backendOfTest({ storageQuota: 200 * KIBIBYTE });
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  for (const id of ['a', 'b', 'c']) await make(id, ann);
  for (const id of ['a', 'b', 'c']) expect((await setPrefs(id, 60 * KIBIBYTE, ann)).status).toBe(200);
  await make('d', ann);
  const full = { status: 413, body: { type: 'storage_quota_exceeded' } };
  expect(await setPrefs('d', 60 * KIBIBYTE, ann)).toMatchObject(full);
  expect((await setPrefs('a', 10 * KIBIBYTE, ann)).status).toBe(200);
  expect((await setPrefs('d', 50 * KIBIBYTE, ann)).status).toBe(200);
  expect((await setPrefs('d', 50 * KIBIBYTE, { asKey: true })).status).toBe(200);
  await server.request('DELETE', '/teams/d', ann);
  await make('e', ann);
  expect((await setPrefs('e', 50 * KIBIBYTE, ann)).status).toBe(200);
  await make('of-bob', bob);
  expect((await setPrefs('of-bob', 60 * KIBIBYTE, bob)).status).toBe(200);
});

it('a user fills the quota with deleted teams in the end', async () => {
  server = await backendOfTest({ storageQuota: 4 * KIBIBYTE });
  const ann = await server.signUp('ann@example.com');
  let made = 0;
  for (; made < 100 && (await make(`t${made}`, ann)).status === 201; made++)
    await server.request('DELETE', `/teams/t${made}`, ann);
  expect(made).toBeGreaterThan(10);
  expect(made).toBeLessThan(100);
});

it(`a user’s team has at most ${MOST_MEMBERS} members and invitations, unless a key invites`, async () => {
  server = await backendOfTest({ mail: MAIL });
  const ann = await server.signUp('ann@example.com');
  await make('crew', ann);
  const byMail = (i: number) => inviteByMail(ann, `m${i}@example.com`);
  for (let i = 1; i < MOST_MEMBERS; i++) expect((await byMail(i)).status).toBe(201);
  expect(await byMail(MOST_MEMBERS)).toMatchObject({ status: 400, body: { type: 'general_bad_request' } });
  expect((await byMail(1)).status).toBe(201);
  expect((await invite('crew', 'by-key@example.com')).status).toBe(201);
});

it('a team without members goes when its last member leaves, with invitations that wait', async () => {
  server = await backendOfTest({ mail: MAIL });
  const ann = await server.signUp('ann@example.com');
  await make('crew', ann);
  await invite('crew', 'bob@example.com');
  await inviteByMail(ann, 'cay@example.com');
  expect((await server.request('DELETE', await membershipOf('crew', ann.userId), ann)).status).toBe(204);
  expect(await exists('crew')).toBe(true);
  const [bob] = (await server.request('GET', '/users?search=bob', { asKey: true })).body.users;
  expect((await server.request('DELETE', `/users/${bob.$id}`, { asKey: true })).status).toBe(204);
  expect(await exists('crew')).toBe(false);
});

it('a team without members goes when its last member deletes the account', async () => {
  server = await backendOfTest();
  const ann = await server.signUp('ann@example.com');
  await make('crew', ann);
  await setPrefs('crew', KIBIBYTE, ann);
  expect((await server.request('DELETE', '/account', ann)).status).toBe(204);
  expect(await exists('crew')).toBe(false);
});

it('a team without members stays if a key made it', async () => {
  server = await backendOfTest();
  const ann = await server.signUp('ann@example.com');
  await make('staff', { asKey: true });
  await invite('staff', 'ann@example.com');
  await server.request('DELETE', await membershipOf('staff', ann.userId), ann);
  expect(await exists('staff')).toBe(true);
});

it('teams of an older database stay, and count in no quota', async () => {
  const directory = await olderDatabase(
    8,
    `INSERT INTO teams (id, created_at, updated_at, name, prefs)
    VALUES ('crew', '${OLD_DATE}', '${OLD_DATE}', 'Crew', '{"text":"${'x'.repeat(2000)}"}')`,
  );
  server = await backendOfTest({ directory, storageQuota: KIBIBYTE });
  expect(await exists('crew')).toBe(true);
  expect((await setPrefs('crew', 3000, { asKey: true })).status).toBe(200);
});
