/** Ending a user's access also ends their one-time tokens and invitations. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { startMailServer, type TestMailServer } from '../../tests/support/mail-server.ts';

const URL_OF_PAGE = 'http://localhost/welcome';
const PASSWORD = 'correct horse';

let mail: TestMailServer;
let server: TestBackend;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestBackend({ mail: mail.options });
  await server.request('POST', '/teams', { asKey: true, body: { teamId: 'site', name: 'Site' } });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
});

let count = 0;

const oneTime = async (userId: string) =>
  String((await server.request('POST', `/users/${userId}/tokens`, { asKey: true })).body.secret);

interface Invited {
  readonly userId: string;
  readonly email: string;
  readonly cookies: string;
  /** A second session of the same user. */
  readonly elsewhere: string;
}

const key = (method: string, path: string, body?: object) => server.request(method, path, { asKey: true, body });

const ENDINGS: Record<string, (who: Invited) => Promise<unknown>> = {
  async 'a block, when it is lifted'({ userId }) {
    await key('PATCH', `/users/${userId}/status`, { status: false });
    await key('PATCH', `/users/${userId}/status`, { status: true });
  },
  'a new password': ({ cookies }) =>
    server.request('PATCH', '/account/password', { cookies, body: { password: 'new horse', oldPassword: PASSWORD } }),
  'a password set by a key': ({ userId }) => key('PATCH', `/users/${userId}/password`, { password: 'new horse' }),
  'signing out everywhere': ({ cookies }) => server.request('DELETE', '/account/sessions', { cookies }),
  'being signed out everywhere': ({ userId }) => key('DELETE', `/users/${userId}/sessions`),
  'ending a session elsewhere': ({ cookies, elsewhere }) =>
    server.request('DELETE', `/account/sessions/${elsewhere}`, { cookies }),
};

/** Creates a user with a mailed one-time link and invitation; returns a function for using each. */
async function invited() {
  const email = `invited${++count}@example.com`;
  const { userId, cookies } = await server.signUp(email, PASSWORD);
  const { body } = await server.request('POST', '/account/sessions/email', { body: { email, password: PASSWORD } });
  const secret = await oneTime(userId);
  const owner = await server.signUp(`owner${++count}@example.com`);
  const roles = { userId: owner.userId, roles: ['owner'] };
  await server.request('POST', '/teams/site/memberships', { asKey: true, body: roles });
  const invitation = { email, roles: ['editor'], url: URL_OF_PAGE };
  await server.request('POST', '/teams/site/memberships', { cookies: owner.cookies, body: invitation });
  const link = await mail.linkTo(email);
  return {
    who: { userId, email, cookies, elsewhere: String(body.$id) },
    useLink: () => server.request('POST', '/account/sessions/token', { body: { userId, secret } }),
    accept: () =>
      server.request('PATCH', `/teams/site/memberships/${link.get('membershipId')}/status`, {
        body: { userId, secret: link.get('secret') },
      }),
  };
}

test.each(Object.keys(ENDINGS))('%s ends the links from before', async (ending) => {
  const { who, useLink, accept } = await invited();
  await ENDINGS[ending]?.(who);
  expect(await useLink()).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } });
  expect(await accept()).toMatchObject({ status: 401, body: { type: 'team_invalid_secret' } });
});

test('signing out of one session leaves the links', async () => {
  const { who, useLink, accept } = await invited();
  await server.request('DELETE', '/account/sessions/current', { cookies: who.cookies });
  expect(await useLink()).toMatchObject({ status: 201 });
  expect(await accept()).toMatchObject({ status: 200 });
});
