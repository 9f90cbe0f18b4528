import { Account, AuthenticationFactor, AuthenticatorType, Databases, ID, Users } from 'node-appwrite';
import { expect, test } from 'vitest';
import { openPasskeyStore } from '#backend/passkeys/stored-passkeys.ts';
import { guestClient, serverClient } from '#backend/target.ts';
import { MAX_PASSKEYS, PASSKEY_NAME_LENGTH, type PasskeyCodes, type PasskeySignIn } from '#blog/passkeys.ts';
import { openSession, passkeysApi } from '../../../tests/support/passkeys.ts';
import { ask, PASSWORD, person, type Someone } from '../../../tests/support/people.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';

const site = await sharedSite();
const users = new Users(serverClient(site.target));
const store = openPasskeyStore(site.target);
const FRESH_MS = 15 * 60_000;
const WRONG_PASSWORD = { password: 'Not-my-horse-2' };

/** Returns a user who has a passkey, and whose session is too old to change anything without a proof. */
async function settled() {
  const ann = await person(site);
  const added = await passkeysApi(site).add(ann);
  const calls = passkeysApi(site, { now: () => Date.now() + FRESH_MS });
  return { ...calls, ann, key: added.key, id: added.passkeys[0]?.id ?? '' };
}

/** Returns a user who signed up with a passkey, without a password. */
async function withoutPassword() {
  const calls = passkeysApi(site);
  const { key, ...answer } = await calls.signUp(`${ID.unique()}@example.com`);
  const ann: Pick<Someone, 'id' | 'session'> = {
    id: answer.userId,
    session: (await openSession(site, answer)).session,
  };
  return { ...calls, ann, key, id: (await calls.own(ann)).passkeys[0]?.id ?? '' };
}

const passwordStatus = (email: string) =>
  new Account(guestClient(site.target)).createEmailPasswordSession({ email, password: PASSWORD }).then(
    () => 201,
    (error: { code: number }) => error.code,
  );

test('a session of fifteen minutes or more needs a proof to add and remove passkeys', async () => {
  const ann = await person(site);
  const { $createdAt } = (await users.listSessions({ userId: ann.id })).sessions[0] ?? { $createdAt: '' };
  const at = (age: number) => passkeysApi(site, { now: () => Date.parse($createdAt) + age });
  const [young, old] = [at(FRESH_MS - 1), at(FRESH_MS)];
  const { key, passkeys } = await young.add(ann);
  expect(await old.add(ann)).toMatchObject({ status: '403 proof-needed' });
  const removal = { action: 'remove', id: passkeys[0]?.id };
  expect(await old.act(ann, removal)).toEqual({ status: '403 proof-needed' });
  const proof = { response: await old.answer(key) };
  expect((await old.add(ann, 'Laptop', {}, { proof })).passkeys).toMatchObject([{ name: 'Phone' }, { name: 'Laptop' }]);
  expect(await young.act(ann, removal)).toMatchObject({ status: '200', passkeys: [{ name: 'Laptop' }] });
});

test('a proof is the user’s own password or an answer by the user’s own passkey, once', async () => {
  const { ann, key, act, answer, id } = await settled();
  const other = await settled();
  const proved = (proof: object) => act(ann, { action: 'remove', id, proof });
  expect(await proved(WRONG_PASSWORD)).toEqual({ status: '422 wrong-password' });
  expect(await proved({ response: await answer(other.key) })).toEqual({ status: '403 passkey-unknown' });
  const used = await answer(key);
  expect(
    await act(ann, { action: 'change-email', email: `new-${ann.email}`, proof: { response: used } }),
  ).toMatchObject({
    status: '200',
  });
  expect(await proved({ response: used })).toEqual({ status: '422 passkey-expired' });
  expect(await proved({ password: PASSWORD })).toMatchObject({ status: '200', passkeys: [] });
});

test('a wrong proof is refused in a fresh session, too', async () => {
  const ann = await person(site);
  const { add } = passkeysApi(site);
  expect(await add(ann, 'Phone', {}, { proof: WRONG_PASSWORD })).toMatchObject({ status: '422 wrong-password' });
});

test(`an account has at most ${MAX_PASSKEYS} passkeys`, async () => {
  const ann = await person(site);
  const { add, own } = passkeysApi(site);
  const filler = { userId: ann.id, publicKey: 'a', counter: 0, transports: [], name: 'Old', host: 'blog.example' };
  for (let number = 1; number < MAX_PASSKEYS; number++)
    await store.add({ ...filler, credentialId: Buffer.from(`${ann.id} ${number}`).toString('base64url') });
  expect(await add(ann)).toMatchObject({ status: '200' });
  expect(await add(ann)).toMatchObject({ status: '422 too-many-passkeys' });
  expect((await own(ann)).passkeys).toHaveLength(MAX_PASSKEYS);
});

test('names have 1 to 60 characters, whatever they say', async () => {
  const { ann, act, id } = await settled();
  const rename = async (name: string) => {
    const { status, passkeys } = await act(ann, { action: 'rename', id, name });
    return passkeys?.[0]?.name ?? status.slice(0, 3);
  };
  expect(await rename(` ${'n'.repeat(PASSKEY_NAME_LENGTH)} `)).toBe('n'.repeat(PASSKEY_NAME_LENGTH));
  expect(await rename('n'.repeat(PASSKEY_NAME_LENGTH + 1))).toBe('400');
  expect(await rename('   ')).toBe('400');
  const operator = '{"method":"increment","values":[1]}';
  expect(await rename(operator)).toContain(operator);
});

test('nobody changes or removes another user’s passkey, and guests have none', async () => {
  const [{ ann, act, id }, other] = [await settled(), await settled()];
  const proof = { password: PASSWORD };
  expect(await act(other.ann, { action: 'rename', id, name: 'Mine' })).toEqual({ status: '404 not-found' });
  expect(await act(other.ann, { action: 'remove', id, proof })).toEqual({ status: '404 not-found' });
  expect(await act({ session: '' }, { action: 'rename', id, name: 'Mine' })).toEqual({ status: '401 Sign in first.' });
  expect((await other.own({ session: '' })).status).toBe('401');
  expect(await store.ofUser(ann.id)).toMatchObject([{ name: 'Phone' }]);
});

test('the last working passkey of somebody without a password stays', async () => {
  const { ann, act, add, id, key, signIn } = await withoutPassword();
  expect(await act(ann, { action: 'remove', id })).toEqual({ status: '422 last-passkey' });
  const cloned = await add(ann, 'Cloned');
  await signIn(cloned.key, { counter: 5 });
  await signIn(cloned.key, { counter: 5 });
  expect(await act(ann, { action: 'remove', id })).toEqual({ status: '422 last-passkey' });
  const { passkeys } = await add(ann, 'Second');
  expect(passkeys.map(({ name }) => name)).toEqual(['Passkey', 'Cloned', 'Second']);
  expect(await act(ann, { action: 'remove', id })).toMatchObject({ status: '200' });
  expect(await signIn(key)).toEqual({ status: '403 passkey-unknown' });
});

test('a password is removed with an answer only, which ends all sessions and opens a new one', async () => {
  const { ann, key, act, answer } = await settled();
  const remove = (proof: object) => act<PasskeySignIn>(ann, { action: 'remove-password', proof });
  expect(await remove({ password: PASSWORD })).toMatchObject({ status: expect.stringMatching(/^400/) });
  const answered = await remove({ response: await answer(key) });
  expect(answered).toMatchObject({ status: '200', userId: ann.id });
  expect(await passwordStatus(ann.email)).toBe(401);
  const calls = passkeysApi(site);
  expect((await calls.own(ann)).status).toBe('401');
  const { session } = await openSession(site, answered);
  expect(await calls.own({ session })).toMatchObject({ status: '200', hasPassword: false });
});

test('somebody without a password sets one right after signing in with a passkey', async () => {
  const { api, ann, own } = await withoutPassword();
  expect((await ask(api, '/api/account/password', ann.session, { password: PASSWORD })).status).toBe('200');
  const { email } = await users.get({ userId: ann.id });
  expect(await passwordStatus(email)).toBe(201);
  const session = (await users.createSession({ userId: ann.id })).secret;
  expect(await own({ session })).toMatchObject({ hasPassword: true });
});

test('a changed address has to be verified anew, and one that is taken is refused', async () => {
  const { ann, key, act, answer } = await settled();
  await users.updateEmailVerification({ userId: ann.id, emailVerification: true });
  const other = await person(site);
  const change = async (email: string, proof: object = { password: PASSWORD }) =>
    (await act(ann, { action: 'change-email', email, proof })).status;
  expect(await change(other.email)).toBe('409 address-taken');
  expect(await change('nothing')).toMatch(/^400/);
  expect(await change(`new-${ann.email}`, WRONG_PASSWORD)).toBe('422 wrong-password');
  expect(await users.get({ userId: ann.id })).toMatchObject({ email: ann.email, emailVerification: true });
  // The passkey was added before the address was verified. The next call in the same session makes it trusted.
  await act(ann, { action: 'rename', id: (await store.ofUser(ann.id))[0]?.id ?? '', name: 'Phone' });
  expect(await change(`new-${ann.email}`, { response: await answer(key) })).toBe('200');
  expect(await users.get({ userId: ann.id })).toMatchObject({ email: `new-${ann.email}`, emailVerification: false });
});

test('a passkey gives the codes of an authenticator app until the last one is removed', async () => {
  // Test vector of RFC 6238, appendix B: the secret 12345678901234567890 at 59 s.
  const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const ann = await person(site);
  const { add, act, use, answer, own, signIn } = passkeysApi(site, { now: () => 59_000 });
  const proof = { password: PASSWORD };
  expect(await act(ann, { action: 'keep-key', key, proof })).toEqual({ status: '404 not-found' });
  const { key: phone, passkeys } = await add(ann, 'Phone', {}, { proof });
  expect(await use({ action: 'code', response: await answer(phone) })).toEqual({ status: '200', codes: [] });
  expect(await act(ann, { action: 'keep-key', key, proof: WRONG_PASSWORD })).toEqual({ status: '422 wrong-password' });
  const { codes } = await act<PasskeyCodes>(ann, { action: 'keep-key', key, proof });
  expect(codes).toEqual(['287082', expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{6}$/)]);
  expect(await use({ action: 'code', response: await answer(phone) })).toEqual({ status: '200', codes });
  expect(await signIn(phone)).toMatchObject({ status: '200', codes });
  expect(await own(ann)).toMatchObject({ givesCodes: true });
  const place = { databaseId: 'blog', collectionId: 'authenticator-keys', documentId: ann.id };
  expect(JSON.stringify(await new Databases(serverClient(site.target)).getDocument(place))).not.toContain(key);
  expect(await act(ann, { action: 'remove', id: passkeys[0]?.id, proof })).toMatchObject({ givesCodes: false });
  await expect(new Databases(serverClient(site.target)).getDocument(place)).rejects.toMatchObject({ code: 404 });
});

test('a passkey alone signs in an account that asks for a second factor', async () => {
  const { ann, key, act, answer, own } = { ...(await settled()), ...passkeysApi(site) };
  const account = new Account(guestClient(site.target).setSession(ann.session));
  const { secret } = await account.createMFAAuthenticator({ type: AuthenticatorType.Totp });
  const proof = { response: await answer(key) };
  const { codes } = await act<PasskeyCodes>(ann, { action: 'keep-key', key: secret, proof });
  await account.updateMFAAuthenticator({ type: AuthenticatorType.Totp, otp: codes[0] ?? '' });
  await account.updateMFA({ mfa: true });
  const waiting = await openSession(site, await passkeysApi(site).signIn(key));
  expect((await own(waiting)).status).toBe('401');
  const response = await passkeysApi(site).answer(key);
  const given = await passkeysApi(site).use({ action: 'code', response });
  const owing = new Account(guestClient(site.target).setSession(waiting.session));
  const { $id: challengeId } = await owing.createMFAChallenge({ factor: AuthenticationFactor.Totp });
  // Turning on the second factor used up the current code, so the backend accepts only a later one.
  for (const otp of given.codes) {
    if (await owing.updateMFAChallenge({ challengeId, otp }).then(Boolean, () => false)) break;
  }
  expect((await own(waiting)).status).toBe('200');
});

test('a stranger’s access that ends takes passkeys and the kept key with it', async () => {
  const { ann, api, key, act } = await settled();
  const [owner, proof] = [await person(site, 'owner'), { password: PASSWORD }];
  await act(ann, { action: 'keep-key', key: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', proof });
  await ask(api, '/api/people', owner.session, { action: 'invite', email: ann.email, role: 'writer', by: 'link' });
  expect(await store.find(key.get({ challenge: 'a' }).id)).toBeUndefined();
  const place = { databaseId: 'blog', collectionId: 'authenticator-keys', documentId: ann.id };
  await expect(new Databases(serverClient(site.target)).getDocument(place)).rejects.toMatchObject({ code: 404 });
});

test('owners and editors without a passkey are asked for one, if the owners wish so', async () => {
  const wishing = passkeysApi(site, { isWished: () => true });
  const people = await Promise.all(
    (['owner', 'editor', 'writer', undefined] as const).map((role) => person(site, role)),
  );
  const asked = (calls = wishing) => Promise.all(people.map(async (one) => (await calls.own(one)).isAsked));
  expect(await asked()).toEqual([true, true, false, false]);
  expect(await asked(passkeysApi(site))).toEqual([false, false, false, false]);
  const [owner] = people;
  if (owner) await wishing.add(owner);
  expect(await asked()).toEqual([false, true, false, false]);
});

test('people with a passkey only count as joined', async () => {
  const { api, ann } = await withoutPassword();
  const { people } = (await api.people?.list((await person(site, 'owner')).id, ann.id, 1)) ?? { people: [] };
  expect(people).toMatchObject([{ id: ann.id, hasJoined: true }]);
});
