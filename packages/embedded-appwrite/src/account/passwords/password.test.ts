import { expect, test } from 'vitest';
import { createPasswords, describeHash, isPasswordHash } from './password.ts';

const passwords = createPasswords();
const flow = { id: '203.0.113.1', credit: 0 };
const hashPassword = (password: string) => passwords.hash(password, flow);
const verifyPassword = (password: string, phc: string) => passwords.verify(password, phc, flow);

// Computed by the reference implementation: password "password", salt "somesalt", 64 MiB, 2 passes, 1 lane.
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

test('a hash of ours is argon2id in PHC form, salted anew each time, and fits its password alone', async () => {
  // Contains a zero byte and multi-byte characters.
  const password = 'пароль\u0000😀';
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=65536,t=4,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword(password, one)).toBe(true);
  for (const wrong of ['пароль', 'пароль\u0000😁']) expect(await verifyPassword(wrong, one)).toBe(false);
});

test('a hash from elsewhere is checked at its own cost', async () => {
  expect(await verifyPassword('password', REFERENCE)).toBe(true);
  expect(await verifyPassword('passwort', REFERENCE)).toBe(false);
  expect(describeHash(REFERENCE)).toEqual({ type: 'argon2', memory_cost: 65536, time_cost: 2, threads: 1 });
});

test.each([
  '',
  'plain',
  '$2y$10$abcdefghijklmnopqrstuv',
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ',
  '$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=4,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
])('a hash from elsewhere %s is not taken', (hash) => expect(isPasswordHash(hash)).toBe(false));

test('without a hash the answer is no, after as much work', async () =>
  expect(await verifyPassword('anything', '')).toBe(false));
