/** A: JSON web tokens (contract 1.2, 4). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { GUEST_WITHOUT_ACCOUNT, invalid, refused } from './expect.ts';
import { limitsServer, roomInWindow } from './facilities.ts';
import { line, server } from './line.ts';
import { admin, guest, type Person, person } from './people.ts';
import { browser, node } from './sdk.ts';

async function jwtOf(who: Person): Promise<string> {
  return (await who.http.post('/account/jwts', {})).is(201).json<Models.Jwt>().jwt;
}

function claims(jwt: string): Record<string, unknown> {
  const parts = jwt.split('.');
  expect(parts).toHaveLength(3);
  expect(JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString())).toEqual({ typ: 'JWT', alg: 'HS256' });
  return JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

const withJwt = (jwt: string) => guest(server()).http.with({ 'x-appwrite-jwt': jwt });

line('A32', 'a JWT names user and session and lasts 900 seconds unless told otherwise, at most 3600', async () => {
  const who = await person(server());
  const now = Date.now() / 1000;
  const alias = (await who.http.post('/account/jwt', {})).is(201).json<Models.Jwt>().jwt;
  for (const jwt of [await jwtOf(who), alias, (await who.web.account.createJWT()).jwt]) {
    const { exp, ...rest } = claims(jwt);
    expect(rest).toMatchObject({ userId: who.id, sessionId: who.sessionId });
    expect(Math.abs(Number(exp) - now - 900)).toBeLessThan(30);
  }
  const hour = claims((await who.web.account.createJWT({ duration: 3600 })).jwt);
  expect(Math.abs(Number(hour.exp) - now - 3600)).toBeLessThan(30);
  await refused(
    invalid('duration'),
    who.http.post('/account/jwts', { duration: 3601 }),
    who.web.account.createJWT({ duration: 3601 }),
  );
  const none = (await who.http.post('/account/jwts', { duration: 0 })).is(201, 400, 500);
  if (none.status === 201) {
    await refused({ code: 401, type: 'user_jwt_invalid' }, withJwt(none.json<Models.Jwt>().jwt).get('/account'));
  }
});

line('A34', 'a JWT signs in; beside a cookie it is refused', async () => {
  const who = await person(server());
  const jwt = await jwtOf(who);
  expect((await withJwt(jwt).get('/account')).is(200).json<Models.User>().$id).toBe(who.id);
  expect((await node(server(), { jwt }).account.get()).$id).toBe(who.id);
  const web = browser(server());
  web.client.setJWT(jwt);
  expect((await web.account.get()).$id).toBe(who.id);
  const cookie = `a_session_${server().projectId}=${encodeURIComponent(who.session)}`;
  await refused(
    { code: 403, type: 'user_jwt_and_cookie_set' },
    withJwt(jwt).with({ cookie }).get('/account'),
    node(server(), { jwt, session: who.session }).account.get(),
  );
});

line('A35', 'a JWT is worth nothing once its session is gone', async () => {
  const who = await person(server());
  const jwt = await jwtOf(who);
  (await who.http.delete('/account/sessions/current', {})).is(204);
  await refused(GUEST_WITHOUT_ACCOUNT, withJwt(jwt).get('/account'), node(server(), { jwt }).account.get());
});

line('A36', 'a JWT cannot mint another', async () => {
  const jwt = await jwtOf(await person(server()));
  await refused(
    [
      { code: 403, type: 'user_jwt_creation_denied' },
      { code: 404, type: 'user_session_not_found' },
    ],
    withJwt(jwt).post('/account/jwts', {}),
    node(server(), { jwt }).account.createJWT(),
  );
});

line('A37', 'a JWT that was tampered with is 401', async () => {
  const [who, other] = [await person(server()), await person(server())];
  const [header, body, signature = ''] = (await jwtOf(who)).split('.');
  const foreign = Buffer.from(JSON.stringify({ ...claims(`${header}.${body}.${signature}`), userId: other.id }));
  const flipped = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  const unsigned = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
  for (const jwt of [
    `${header}.${body}.${flipped}`,
    `${header}.${foreign.toString('base64url')}.${signature}`,
    `${unsigned}.${body}.`,
    'nonsense',
  ]) {
    await refused(
      { code: 401, type: 'user_jwt_invalid', message: /^Failed to verify JWT\./ },
      withJwt(jwt).get('/account'),
      node(server(), { jwt }).account.get(),
    );
  }
});

line('A52', 'JWTs are counted by user: after the first of a minute 119 remain', async (context) => {
  const limited = server().embedded ? await limitsServer(context) : server();
  await roomInWindow(60, 5);
  for (const who of [await person(limited), await person(limited)]) {
    const answer = (await who.http.post('/account/jwts', {})).is(201);
    expect(answer.header('x-ratelimit-limit')).toBe('120');
    expect(answer.header('x-ratelimit-remaining')).toBe('119');
    await admin(limited).http.delete(`/users/${who.id}`);
  }
});
