/** What a flood of guesses leaves to others: told by how many guesses are answered before them, not by time. */
import { afterEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

let server: TestBackend;
afterEach(() => server.stop());

const PASSWORD = 'correct horse';
/** Some milliseconds, so that a queue forms. */
const passwordCost = { memory: 16_384, passes: 2, parallelism: 1 };
/** Two are computed when somebody comes, and some more while his request is on its way; a hundred wait. */
const AHEAD = 20;

function at(address: string) {
  const post = (path: string, body: object, asKey = false) =>
    server.request('POST', path, { headers: { 'x-forwarded-for': address }, body, asKey });
  return {
    signUp: (email: string) => post('/account', { userId: 'unique()', email, password: PASSWORD }),
    signIn: (email: string, password = PASSWORD) => post('/account/sessions/email', { email, password }),
    create: (email: string) => post('/users', { userId: 'unique()', email, password: PASSWORD }, true),
  };
}

async function start(): Promise<void> {
  server = await startTestBackend({ trustedProxies: ['loopback'], rateLimits: true, passwordCost });
  expect((await at('203.0.113.1').signUp('ann@example.com')).status).toBe(201);
}

/** 140 guesses at once, and again: most of the second ones wait when this ends. */
async function flood(sourceOf: (index: number) => string) {
  let answered = 0;
  const wave = () =>
    Array.from({ length: 140 }, async (_, index) => {
      const { status } = await at(sourceOf(index)).signIn(`nobody${index}@example.com`, 'a wrong guess');
      if (status === 401) answered++;
    });
  await Promise.all(wave());
  const all = wave();
  await Promise.race(all);
  return { answered: () => answered, ended: () => Promise.all(all) };
}

test.each([
  ['an address each', (index: number) => `198.51.100.${index}`],
  ['one address', () => '198.51.100.1'],
])('140 guesses from %s keep nobody out who comes from elsewhere', async (_what, sourceOf) => {
  await start();
  const { answered, ended } = await flood(sourceOf);
  const [before, home] = [answered(), at('203.0.113.7')];
  const replies = await Promise.all([
    home.signIn('ann@example.com'),
    at('203.0.113.8').signUp('bob@example.com'),
    at('203.0.113.9').create('cay@example.com'),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(answered() - before).toBeLessThanOrEqual(AHEAD);
  await ended();
});

test('guesses from her own network keep nobody out who has signed in there before', async () => {
  await start();
  const home = at('203.0.113.1');
  expect((await home.signIn('ann@example.com')).status).toBe(201);
  const { answered, ended } = await flood(() => '203.0.113.1');
  const before = answered();
  expect((await home.signIn('ann@example.com')).status).toBe(201);
  expect(answered() - before).toBeLessThanOrEqual(AHEAD);
  await ended();
});

test('a signed-in user changes his password while guesses wait', async () => {
  await start();
  const { cookies } = await at('203.0.113.1').signIn('ann@example.com');
  const { answered, ended } = await flood(() => '203.0.113.1');
  const before = answered();
  const body = { password: 'another horse', oldPassword: PASSWORD };
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  expect((await server.request('PATCH', '/account/password', { headers, cookies, body })).status).toBe(200);
  expect(answered() - before).toBeLessThanOrEqual(AHEAD);
  await ended();
});
