import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend } from '../../tests/support/backend.ts';

let server: Awaited<ReturnType<typeof startTestBackend>>;
beforeAll(async () => {
  server = await startTestBackend({ trustedProxies: ['loopback'], rateLimits: true });
});
afterAll(() => server.stop());

const [HOME, CAFE, STRANGER] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
const PASSWORD = 'correct horse';

async function signIn(email: string, password: string, from: string): Promise<number> {
  const headers = { 'x-forwarded-for': from };
  return (await server.request('POST', '/account/sessions/email', { headers, body: { email, password } })).status;
}
async function signUp(email: string): Promise<void> {
  const headers = { 'x-forwarded-for': HOME };
  const body = { userId: 'unique()', email, password: PASSWORD };
  expect((await server.request('POST', '/account', { headers, body })).status).toBe(201);
}
async function guesses(email: string, count: number, from: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push(await signIn(email, `a wrong guess ${i}`, from));
  return statuses;
}

test('wrong passwords of strangers do not keep out who has signed in from where he is', async () => {
  await signUp('ann@example.com');
  expect(await signIn('ann@example.com', PASSWORD, HOME)).toBe(201);
  expect(new Set(await guesses('ann@example.com', 10, STRANGER))).toEqual(new Set([401]));
  expect(await guesses('ANN@example.com ', 1, STRANGER)).toEqual([429]);
  expect(await guesses('ann@example.com', 1, CAFE)).toEqual([429]);
  expect(await signIn('ann@example.com', PASSWORD, HOME)).toBe(201);
  expect(await signIn('Ann@example.com', PASSWORD, HOME)).toBe(201);
  expect(await signIn('ann@example.com', PASSWORD, CAFE)).toBe(429);
});

test('there, too, guessing ends after ten, and elsewhere it goes on as before', async () => {
  await signUp('bob@example.com');
  expect(await guesses('bob@example.com', 9, HOME)).not.toContain(429);
  // A successful sign-in resets the guesses counted before the address was known.
  expect(await signIn('bob@example.com', PASSWORD, HOME)).toBe(201);
  expect(await guesses('bob@example.com', 11, HOME)).toEqual([...Array(10).fill(401), 429]);
  expect(await signIn('bob@example.com', PASSWORD, HOME)).toBe(429);
  expect(await guesses('bob@example.com', 11, STRANGER)).toEqual([...Array(10).fill(401), 429]);
});

test('after 60 wrong passwords a network is refused strangers, not those who have signed in there; others go on', async () => {
  await signUp('cay@example.com');
  expect(await signIn('cay@example.com', PASSWORD, HOME)).toBe(201);
  const [spent, other] = ['198.51.100.1', '198.51.100.2'];
  expect(await signIn('cay@example.com', PASSWORD, spent)).toBe(201);
  for (let index = 0; index < 60; index++)
    expect(await signIn(`nobody${index}@example.com`, 'a wrong guess', spent)).toBe(401);
  expect(await signIn('nobody60@example.com', 'a wrong guess', spent)).toBe(429);
  expect(await signIn('ann@example.com', PASSWORD, spent)).toBe(429);
  expect(await signIn('cay@example.com', PASSWORD, spent)).toBe(201);
  expect(await signIn('nobody60@example.com', 'a wrong guess', other)).toBe(401);
});

test('the client is told of its ten attempts alone, known address or not', async () => {
  await signUp('dan@example.com');
  const replies = await Promise.all(
    ['dan@example.com', 'unknown@example.com'].map((email) =>
      server.request('POST', '/account/sessions/email', {
        headers: { 'x-forwarded-for': '198.51.100.3' },
        body: { email, password: 'a wrong guess' },
      }),
    ),
  );
  for (const { status, headers, body } of replies) {
    expect(status).toBe(401);
    expect(body.type).toBe('user_invalid_credentials');
    expect(headers.get('x-ratelimit-limit')).toBe('10');
    expect(headers.get('x-ratelimit-remaining')).toBe('9');
  }
});
