import { beforeEach, expect, test, vi } from 'vitest';
import { useBackend } from '../../tests/support/use-backend.ts';

const server = useBackend({ trustedProxies: ['loopback'], rateLimits: true });
const [HOME, CAFE, STRANGER] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
const PASSWORD = 'correct horse';

// Freezes the clock, so that each test stays within one rate-limit window.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => void vi.useRealTimers();
});

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

test('wrong passwords of strangers keep no user out of a network where they signed in', async () => {
  await signUp('ann@example.com');
  expect(await signIn('ann@example.com', PASSWORD, HOME)).toBe(201);
  expect(new Set(await guesses('ann@example.com', 10, STRANGER))).toEqual(new Set([401]));
  expect(await guesses('ANN@example.com ', 1, STRANGER)).toEqual([429]);
  expect(await guesses('ann@example.com', 1, CAFE)).toEqual([429]);
  expect(await signIn('ann@example.com', PASSWORD, HOME)).toBe(201);
  expect(await signIn('Ann@example.com', PASSWORD, HOME)).toBe(201);
  expect(await signIn('ann@example.com', PASSWORD, CAFE)).toBe(429);
});

test('guessing ends after ten there too, and goes on elsewhere as before', async () => {
  await signUp('bob@example.com');
  expect(await guesses('bob@example.com', 9, HOME)).not.toContain(429);
  // This sign-in resets the account's count of wrong guesses. It also makes HOME a known network, counted separately.
  expect(await signIn('bob@example.com', PASSWORD, HOME)).toBe(201);
  expect(await guesses('bob@example.com', 11, HOME)).toEqual([...Array(10).fill(401), 429]);
  expect(await signIn('bob@example.com', PASSWORD, HOME)).toBe(429);
  expect(await guesses('bob@example.com', 11, STRANGER)).toEqual([...Array(10).fill(401), 429]);
});

test('60 wrong passwords end the sign-ins of strangers in a network, not of its known users', async () => {
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

test.each(['dan@example.com', 'unknown@example.com'])('shows ten attempts for %s, known or not', async (email) => {
  if (email.startsWith('dan')) await signUp(email);
  const options = { headers: { 'x-forwarded-for': '198.51.100.3' }, body: { email, password: 'a guess' } };
  const { headers, body } = await server.request('POST', '/account/sessions/email', options);
  expect(body).toMatchObject({ code: 401, type: 'user_invalid_credentials' });
  expect(['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))).toEqual(['10', '9']);
});
