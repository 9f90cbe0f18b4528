import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { startMailServer, type TestMailServer } from '../../tests/support/mail-server.ts';
import { MOST_ROLES } from './roles.ts';

let server: TestBackend;
let mail: TestMailServer;
beforeEach(async () => {
  mail = await startMailServer();
  server = await startTestBackend({
    mail: mail.options,
  });
});
afterEach(async () => {
  await server.stop();
  await mail.stop();
});

const url = 'http://localhost:5173/join';
const roles = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);

async function team(teamId: string, cookies: string): Promise<void> {
  expect(await server.request('POST', '/teams', { cookies, body: { teamId, name: teamId } })).toMatchObject({
    status: 201,
  });
}

describe('roles of a user', () => {
  it('are bounded over all teams, whoever gives them', async () => {
    const ann = await server.signUp('ann@example.com');
    const full = Math.floor(MOST_ROLES / 102);
    const join = (name: string, count: number) =>
      server.request('POST', '/teams', { cookies: ann.cookies, body: { teamId: name, name, roles: roles(count) } });
    // A team grants its own role, the member's, and each role in the list with `owner`.
    for (let i = 0; i < full; i++) expect(await join(`t${i}`, 99)).toMatchObject({ status: 201 });
    const left = MOST_ROLES - full * 102;
    expect(await join('too-much', left - 2)).toMatchObject({ status: 400, body: { type: 'general_bad_request' } });
    expect(await server.request('GET', '/teams/too-much', { asKey: true })).toMatchObject({ status: 404 });
    expect(await join('just', left - 3)).toMatchObject({ status: 201 });
    const body = { userId: ann.userId, roles: [] };
    await server.request('POST', '/teams', { asKey: true, body: { teamId: 'of-key', name: 'x' } });
    const invited = await server.request('POST', '/teams/of-key/memberships', { asKey: true, body });
    expect(invited).toMatchObject({ status: 400 });
    expect(await server.request('GET', '/teams/of-key', { asKey: true })).toMatchObject({ body: { total: 0 } });
  });

  it('open documents however many they are', async () => {
    const ann = await server.signUp('ann@example.com');
    const collection = '/databases/db/collections/notes';
    const make = (path: string, body: unknown) => server.request('POST', path, { asKey: true, body });
    await make('/databases', { databaseId: 'db', name: 'db' });
    await make('/databases/db/collections', { collectionId: 'notes', name: 'notes', documentSecurity: true });
    await make(`${collection}/attributes/string`, { key: 'text', size: 100, required: true });
    for (let i = 0; i < 20; i++) {
      await team(`t${i}`, ann.cookies);
      const permissions = [`read("team:t${i}")`, `read("team:t${i}/owner")`];
      await make(`${collection}/documents`, { documentId: `d${i}`, data: { text: 'x' }, permissions });
    }
    await make(`${collection}/documents`, { documentId: 'other', data: { text: 'x' }, permissions: [] });
    const list = async () => (await server.request('GET', `${collection}/documents`, ann)).body;
    expect(await list()).toMatchObject({
      total: 20,
      documents: Array.from({ length: 20 }, (_, i) => ({ $id: `d${i}` })),
    });
    await server.request('DELETE', '/teams/t3', ann);
    expect(await list()).toMatchObject({ total: 19 });
  });
});

it('gives the id of a deleted team to nobody but a key', async () => {
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  await team('staff', ann.cookies);
  await server.request('DELETE', '/teams/staff', ann);
  const body = { teamId: 'staff', name: 'Staff' };
  const again = await server.request('POST', '/teams', { cookies: bob.cookies, body });
  expect(again).toMatchObject({ status: 409, body: { type: 'team_already_exists' } });
  expect(await server.request('POST', '/teams', { asKey: true, body })).toMatchObject({ status: 201 });
});

it('makes no account for an invitation that is refused', async () => {
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  await team('staff', ann.cookies);
  await server.request('POST', '/teams/staff/memberships', { asKey: true, body: { userId: bob.userId, roles: [] } });
  const body = { email: 'new@example.com', roles: [], url };
  const refused = await server.request('POST', '/teams/staff/memberships', { cookies: bob.cookies, body });
  expect(refused).toMatchObject({ status: 401 });
  expect(await server.request('GET', '/users', { asKey: true })).toMatchObject({ body: { total: 2 } });
  expect(mail.offered).toEqual([]);
});

it('signs no blocked user in, whose invitation waits and has ended with the block', async () => {
  const ann = await server.signUp('ann@example.com');
  const bob = await server.signUp('bob@example.com');
  await team('staff', ann.cookies);
  const body = { email: 'bob@example.com', roles: [], url };
  await server.request('POST', '/teams/staff/memberships', { cookies: ann.cookies, body });
  const link = await mail.linkTo('bob@example.com');
  const secret = link.get('secret');
  const path = `/teams/staff/memberships/${link.get('membershipId')}/status`;
  const accept = () => server.request('PATCH', path, { body: { userId: bob.userId, secret } });
  const block = (status: boolean) =>
    server.request('PATCH', `/users/${bob.userId}/status`, { asKey: true, body: { status } });
  await block(false);
  expect(await accept()).toMatchObject({ status: 403, body: { type: 'user_blocked' }, cookies: '' });
  await block(true);
  expect(await accept()).toMatchObject({ status: 401, body: { type: 'team_invalid_secret' } });
});

it.each([
  ['the user', { asKey: false }],
  ['a key', { asKey: true }],
])(
  'takes no invitation to the address of before, once %s has changed it; the next one is good',
  async (_who, { asKey }) => {
    const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
    await team('staff', ann.cookies);
    const invite = async (email: string) => {
      const body = { email, roles: [], url };
      await server.request('POST', '/teams/staff/memberships', { cookies: ann.cookies, body });
      return mail.linkTo(email);
    };
    const accept = (link: URLSearchParams) =>
      server.request('PATCH', `/teams/staff/memberships/${link.get('membershipId')}/status`, {
        cookies: bob.cookies,
        body: { userId: bob.userId, secret: link.get('secret') },
      });
    const former = await invite('bob@example.com');
    const body = { email: 'victim@example.com', password: 'correct horse' };
    await server.request('PATCH', asKey ? `/users/${bob.userId}/email` : '/account/email', {
      ...(asKey ? { asKey } : { cookies: bob.cookies }),
      body,
    });
    expect(await accept(former)).toMatchObject({ status: 401, body: { type: 'team_invalid_secret' } });
    expect(await server.request('GET', '/account', bob)).toMatchObject({ body: { emailVerification: false } });
    expect(await accept(await invite('victim@example.com'))).toMatchObject({ status: 200, body: { confirm: true } });
  },
);

it('lets one of many in who use an invitation at once', async () => {
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  await team('staff', ann.cookies);
  const body = { email: 'bob@example.com', roles: [], url };
  await server.request('POST', '/teams/staff/memberships', { cookies: ann.cookies, body });
  const link = await mail.linkTo('bob@example.com');
  const path = `/teams/staff/memberships/${link.get('membershipId')}/status`;
  const accept = () => server.request('PATCH', path, { body: { userId: bob.userId, secret: link.get('secret') } });
  const answers = await Promise.all(Array.from({ length: 10 }, accept));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  expect(answers.filter(({ cookies }) => cookies !== '')).toHaveLength(1);
});

it('sends no invitation without a way to send mails, and keys need none', async () => {
  await server.stop();
  server = await startTestBackend();
  const ann = await server.signUp('ann@example.com');
  await team('staff', ann.cookies);
  const invite = (body: unknown, as: object) => server.request('POST', '/teams/staff/memberships', { ...as, body });
  const wanted = { email: 'new@example.com', roles: [], url };
  expect(await invite(wanted, ann)).toMatchObject({ status: 503, body: { type: 'general_smtp_disabled' } });
  expect(await invite({ ...wanted, url: 'https://evil.test' }, ann)).toMatchObject({ status: 400 });
  expect(await invite({ roles: [], url }, ann)).toMatchObject({ status: 400 });
  expect(await invite(wanted, { asKey: true })).toMatchObject({ status: 201, body: { confirm: true } });
});
