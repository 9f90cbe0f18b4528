/** Blocking a user, changing a password or ending other sessions also revokes one-time tokens and invitation links. */
import { expect, test } from 'vitest';
import { useMailingBackend } from '../../tests/support/use-backend.ts';

const PASSWORD = 'correct horse';
const { server, mail } = useMailingBackend({}, { prepare: () => key('POST', '/teams', { teamId: 'site', name: 'S' }) });

let count = 0;
const key = (method: string, path: string, body?: object) => server.request(method, path, { asKey: true, body });

/** `elsewhere` is the id of a second session of the same user. */
type Invited = Record<'userId' | 'cookies' | 'elsewhere', string>;

const ENDINGS: Record<string, (who: Invited) => Promise<unknown>> = {
  async 'a block, once lifted,'({ userId }) {
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

async function invited() {
  const email = `invited${++count}@example.com`;
  const { userId, cookies } = await server.signUp(email, PASSWORD);
  const { body } = await server.request('POST', '/account/sessions/email', { body: { email, password: PASSWORD } });
  const { secret } = (await key('POST', `/users/${userId}/tokens`)).body;
  const owner = await server.signUp(`owner${++count}@example.com`);
  await key('POST', '/teams/site/memberships', { userId: owner.userId, roles: ['owner'] });
  const invitation = { email, roles: ['editor'], url: 'http://localhost/welcome' };
  await server.request('POST', '/teams/site/memberships', { cookies: owner.cookies, body: invitation });
  const link = await mail.linkTo(email);
  return {
    who: { userId, cookies, elsewhere: String(body.$id) },
    useLink: () => server.request('POST', '/account/sessions/token', { body: { userId, secret } }),
    accept: () =>
      server.request('PATCH', `/teams/site/memberships/${link.get('membershipId')}/status`, {
        body: { userId, secret: link.get('secret') },
      }),
  };
}

test.each(Object.entries(ENDINGS))('%s ends the links from before', async (_ending, end) => {
  const { who, useLink, accept } = await invited();
  await end(who);
  expect(await useLink()).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } });
  expect(await accept()).toMatchObject({ status: 401, body: { type: 'team_invalid_secret' } });
});

test('signing out of one session leaves the links', async () => {
  const { who, useLink, accept } = await invited();
  await server.request('DELETE', '/account/sessions/current', { cookies: who.cookies });
  expect(await useLink()).toMatchObject({ status: 201 });
  expect(await accept()).toMatchObject({ status: 200 });
});
