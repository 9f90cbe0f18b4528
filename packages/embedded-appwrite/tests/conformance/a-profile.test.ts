/** A: a user's changes to their own account (contract 2.1, 3). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { GUEST_WITHOUT_ACCOUNT, invalid, refused } from './expect.ts';
import { line, server } from './line.ts';
import { freshEmail } from './names.ts';
import { account, PASSWORD, person, signIn } from './people.ts';

const WRONG_PASSWORD = { code: 401, type: 'user_invalid_credentials' };
const NEW_PASSWORD = 'another-horse-2';

line('A38', 'the name can be changed, not emptied', async () => {
  const { http, web } = await person(server());
  expect((await http.patch('/account/name', { name: 'Änn' })).is(200).json<Models.User>().name).toBe('Änn');
  expect((await web.account.updateName({ name: 'Bea' })).name).toBe('Bea');
  await refused(
    invalid('name'),
    http.patch('/account/name', { name: '' }),
    http.patch('/account/name', { name: 'n'.repeat(129) }),
    web.account.updateName({ name: '' }),
  );
  expect((await web.account.get()).name).toBe('Bea');
});

line('A39', 'preferences are replaced as a whole and are an object even when empty', async () => {
  const { http, web } = await person(server());
  expect((await http.get('/account/prefs')).is(200).text).toBe('{}');
  const first = (await http.patch('/account/prefs', { prefs: { a: 1 } })).is(200).json<Models.User>();
  expect(first).toMatchObject({ email: expect.any(String), prefs: { a: 1 } });
  expect((await web.account.updatePrefs({ prefs: { b: 2 } })).prefs).toEqual({ b: 2 });
  expect((await http.get('/account/prefs')).is(200).json()).toEqual({ b: 2 });
  expect({ ...(await web.account.getPrefs()) }).toEqual({ b: 2 });
  await refused(
    invalid('prefs'),
    http.patch('/account/prefs', { prefs: 'text' }),
    http.patch('/account/prefs', { prefs: 5 }),
  );
});

line('A42', 'the password cannot be changed with a wrong or a missing old one', async () => {
  const { http, web } = await signIn(server(), await account(server()));
  await refused(
    WRONG_PASSWORD,
    http.patch('/account/password', { password: NEW_PASSWORD, oldPassword: 'not-the-password' }),
    http.patch('/account/password', { password: NEW_PASSWORD }),
    web.account.updatePassword({ password: NEW_PASSWORD, oldPassword: 'not-the-password' }),
    web.account.updatePassword({ password: NEW_PASSWORD }),
  );
});

line('A43', 'a new password ends the other sessions; the current one stays', async () => {
  const who = await account(server());
  const [current, other] = [await signIn(server(), who), await signIn(server(), who)];
  (await current.http.patch('/account/password', { password: NEW_PASSWORD, oldPassword: PASSWORD })).is(200);
  expect((await current.web.account.get()).$id).toBe(who.id);
  await refused(GUEST_WITHOUT_ACCOUNT, other.http.get('/account'), other.web.account.get());
  const again = await signIn(server(), { ...who, password: NEW_PASSWORD });
  await again.web.account.updatePassword({ password: PASSWORD, oldPassword: NEW_PASSWORD });
  await refused(GUEST_WITHOUT_ACCOUNT, current.http.get('/account'));
});

line('A44', 'the e-mail is changed with the password and is unverified afterwards', async () => {
  const { http, web } = await signIn(server(), await account(server()));
  const [email, second] = [freshEmail(), freshEmail()];
  await refused(
    WRONG_PASSWORD,
    http.patch('/account/email', { email, password: 'not-the-password' }),
    web.account.updateEmail({ email, password: 'not-the-password' }),
  );
  const user = (await http.patch('/account/email', { email, password: PASSWORD })).is(200).json<Models.User>();
  expect(user).toMatchObject({ email, emailVerification: false });
  expect(await web.account.updateEmail({ email: second, password: PASSWORD })).toMatchObject({ email: second });
  expect((await web.account.get()).email).toBe(second);
});

line('A45', "another user's e-mail cannot be taken", async () => {
  const other = await account(server());
  const { http, web, email } = await signIn(server(), await account(server()));
  await refused(
    [{ code: 409 }, { code: 400 }],
    http.patch('/account/email', { email: other.email, password: PASSWORD }),
    web.account.updateEmail({ email: other.email.toUpperCase(), password: PASSWORD }),
  );
  expect((await web.account.get()).email).toBe(email);
});
