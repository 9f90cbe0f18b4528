import { Databases, ID, Query, Users } from 'node-appwrite';
import { expect, test } from 'vitest';
import { openPasskeyStore } from '#backend/passkeys/stored-passkeys.ts';
import { guestClient, serverClient } from '#backend/target.ts';
import { CHALLENGE_MS } from '#blog/passkeys.ts';
import { SITE } from '../../../tests/support/api.ts';
import { type Authenticator, authenticator, type Deviations } from '../../../tests/support/authenticator.ts';
import { openSession, passkeysApi } from '../../../tests/support/passkeys.ts';
import { ask, PASSWORD, person } from '../../../tests/support/people.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';

const site = await sharedSite();
const [users, databases] = [new Users(serverClient(site.target)), new Databases(serverClient(site.target))];
const store = openPasskeyStore(site.target);
const newAddress = () => `${ID.unique().toLowerCase()}@example.com`;

async function usedChallenges(): Promise<number> {
  const place = { databaseId: 'blog', collectionId: 'used-challenges', queries: [Query.limit(1)] };
  return (await databases.listDocuments(place)).total;
}

/** Returns a user with a passkey, the passkey API's calls, and a clock with which the test sets the API's time. */
async function withPasskey() {
  const clock = { now: Date.now() };
  const calls = passkeysApi(site, { now: () => clock.now });
  const ann = await person(site);
  return { ...calls, clock, ann, key: (await calls.add(ann)).key };
}

test('a passkey signs its user in, and the account says when it was used', async () => {
  const { ann, key, signIn, own } = await withPasskey();
  expect(await own(ann)).toMatchObject({ passkeys: [{ name: 'Phone' }], hasPassword: true, givesCodes: false });
  expect((await own(ann)).passkeys[0]).not.toHaveProperty('usedAt');
  const answer = await signIn(key);
  expect(answer).toMatchObject({ status: '200', userId: ann.id, codes: [] });
  const { status, session } = await openSession(site, answer);
  expect(status).toBe(201);
  expect((await own({ session })).passkeys[0]?.usedAt).toMatch(/^\d{4}-/);
  expect(await openSession(site, answer)).toMatchObject({ status: 401 });
});

test('the options ask for a verified user and a discoverable passkey of the site’s host', async () => {
  const { ann, optionsFor } = await withPasskey();
  expect(await optionsFor({ for: 'use' })).toMatchObject({ rpId: 'blog.example', userVerification: 'required' });
  expect(await optionsFor({ for: 'add' }, ann.session)).toMatchObject({
    rp: { id: 'blog.example', name: 'Test' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ transports: ['internal'] }],
    user: { id: Buffer.from(ann.id).toString('base64url'), name: ann.email },
  });
  expect(await optionsFor({ for: 'add' })).toMatchObject({ status: '401 Sign in to add a passkey.' });
});

const WRONG: Record<string, Deviations> = {
  'another origin': { origin: 'https://blog.example.evil.example' },
  'the site’s origin over http': { origin: 'http://blog.example' },
  'a subdomain': { origin: 'https://www.blog.example' },
  'another RP id': { rpId: 'example' },
  'a user who was not verified': { isVerified: false },
  'another user’s handle': { userHandle: Buffer.from('somebody').toString('base64url') },
  'a challenge that was never issued': { challenge: Buffer.alloc(60, 7).toString('base64url') },
};

test.each(Object.entries(WRONG))('an answer with %s is refused, and changes nothing', async (_, deviations) => {
  const { key, signIn, ann } = await withPasskey();
  const [before, used] = [await store.ofUser(ann.id), await usedChallenges()];
  expect(await signIn(key, deviations)).toEqual({ status: '403 passkey-unknown' });
  expect([await store.ofUser(ann.id), await usedChallenges()]).toEqual([before, used]);
  expect(await signIn(key)).toMatchObject({ status: '200' });
});

// A registration has no user handle, so it cannot have a wrong one.
const WRONG_NEW = Object.entries(WRONG).filter(([, { userHandle }]) => !userHandle);

test.each(WRONG_NEW)('a new passkey with %s is refused', async (_, deviations) => {
  const { ann, add, signUp, own } = await withPasskey();
  expect(await add(ann, 'Laptop', deviations)).toMatchObject({ status: '403 passkey-unknown' });
  expect((await own(ann)).passkeys).toHaveLength(1);
  const email = newAddress();
  expect(await signUp(email, authenticator(SITE), deviations)).toMatchObject({ status: '403 passkey-unknown' });
  expect((await users.list({ queries: [Query.equal('email', email)] })).total).toBe(0);
});

test('a wrong signature is refused and cannot make a passkey look cloned', async () => {
  const { ann, key, answer, use, signIn, own } = await withPasskey();
  const right = await answer(key);
  const { signature } = authenticator(SITE).get({ challenge: 'another', rpId: 'blog.example' }).response as {
    signature: string;
  };
  const forged = { ...right, response: { ...right.response, signature } };
  expect(await use({ action: 'sign-in', response: forged })).toEqual({ status: '403 passkey-unknown' });
  expect((await own(ann)).passkeys[0]).not.toHaveProperty('isCloned');
  expect(await use({ action: 'sign-in', response: right })).toMatchObject({ status: '200' });
  expect(await signIn(authenticator(SITE))).toEqual({ status: '403 passkey-unknown' });
});

test.each([{}, { response: 7 }, { rawId: null }, { response: { clientDataJSON: '!' } }])(
  'a malformed answer, %j, is refused',
  async (change) => {
    const { key, answer, use, act, ann } = await withPasskey();
    const response = Object.keys(change).length > 0 ? { ...(await answer(key)), ...change } : { id: 'a' };
    expect(await use({ action: 'sign-in', response })).toEqual({ status: '403 passkey-unknown' });
    expect(await act(ann, { action: 'add', response, name: 'Phone' })).toEqual({ status: '403 passkey-unknown' });
  },
);

test('a challenge can be answered until five minutes have passed', async () => {
  const { key, clock, answer, use } = await withPasskey();
  const responses = [await answer(key), await answer(key)];
  clock.now += CHALLENGE_MS - 1;
  expect(await use({ action: 'sign-in', response: responses[0] })).toMatchObject({ status: '200' });
  clock.now += 1;
  expect(await use({ action: 'sign-in', response: responses[1] })).toEqual({ status: '422 passkey-expired' });
});

test('an answer counts once, on every instance, and a repeated one does not make the passkey look cloned', async () => {
  const { ann, key, answer, use, own } = await withPasskey();
  const response = await answer(key);
  const other = passkeysApi(site);
  const statuses = await Promise.all([use, other.use].map((send) => send({ action: 'sign-in', response })));
  expect(statuses.map(({ status }) => status).sort()).toEqual(['200', '422 passkey-expired']);
  expect(await use({ action: 'code', response })).toEqual({ status: '422 passkey-expired' });
  expect((await own(ann)).passkeys[0]).not.toHaveProperty('isCloned');
});

test('used challenges are deleted after they have expired', async () => {
  const { key, clock, signIn } = await withPasskey();
  const before = await usedChallenges();
  expect(await signIn(key)).toMatchObject({ status: '200' });
  expect(await usedChallenges()).toBe(before + 1);
  clock.now += CHALLENGE_MS + 1;
  expect(await signIn(key)).toMatchObject({ status: '200' });
  expect(await usedChallenges()).toBeLessThanOrEqual(before);
});

test('a challenge serves only what it was made for', async () => {
  const { ann, key, optionsFor, use, act } = await withPasskey();
  const person = { name: 'Ann', email: newAddress() };
  const { challenge: forUse } = await optionsFor({ for: 'use' });
  const { challenge: forAdd, ...creation } = await optionsFor({ for: 'add' }, ann.session);
  const { challenge: forSignUp } = await optionsFor({ for: 'sign-up', ...person });
  for (const challenge of [forAdd, forSignUp]) {
    const response = key.get({ challenge, rpId: 'blog.example' });
    expect(await use({ action: 'sign-in', response })).toEqual({ status: '403 passkey-unknown' });
  }
  for (const challenge of [forUse, forSignUp]) {
    const response = authenticator(SITE).create({ ...creation, challenge });
    expect(await act(ann, { action: 'add', response, name: 'Laptop' })).toEqual({ status: '403 passkey-unknown' });
  }
  for (const challenge of [forUse, forAdd]) {
    const response = authenticator(SITE).create({ ...creation, challenge });
    expect(await use({ action: 'sign-up', response, ...person })).toEqual({ status: '403 passkey-unknown' });
  }
});

test('a challenge for one user’s new passkey gives it to no other', async () => {
  const { ann, optionsFor, act } = await withPasskey();
  const response = authenticator(SITE).create(await optionsFor({ for: 'add' }, (await person(site)).session));
  expect(await act(ann, { action: 'add', response, name: 'Laptop' })).toEqual({ status: '403 passkey-unknown' });
});

test.each([
  ['goes back', 4],
  ['stays', 5],
])('a passkey whose counter %s is refused from then on and can be removed', async (_, counter) => {
  const { ann, key, signIn, own, act } = await withPasskey();
  expect(await signIn(key, { counter: 5 })).toMatchObject({ status: '200' });
  expect(await signIn(key, { counter })).toEqual({ status: '403 passkey-cloned' });
  expect(await signIn(key, { counter: 9 })).toEqual({ status: '403 passkey-cloned' });
  const [passkey] = (await own(ann)).passkeys;
  expect(passkey).toMatchObject({ isCloned: true });
  expect(await act(ann, { action: 'remove', id: passkey?.id })).toMatchObject({ status: '200', passkeys: [] });
});

test('a synced passkey, whose counter is always 0, signs in again and again', async () => {
  const { key, signIn } = await withPasskey();
  for (let time = 0; time < 2; time++) expect(await signIn(key, { counter: 0 })).toMatchObject({ status: '200' });
});

test('an attestation with a certificate is refused before anything else of it is read', async () => {
  const { ann, clock, optionsFor, act } = await withPasskey();
  const attStmt = new Map([['x5c', [Buffer.from('http://169.254.169.254/')]]]);
  const none = { fmt: 'none', attStmt: new Map() };
  const kinds = ['packed', 'fido-u2f', 'android-safetynet'].map((fmt) => ({ fmt, attStmt }));
  const creation = await optionsFor({ for: 'add' }, ann.session);
  // Expires the challenge, so that the API would answer `passkey-expired` if it read more than the attestation.
  clock.now += CHALLENGE_MS;
  const statusOf = async (attestation: Deviations['attestation'] = none) => {
    const response = authenticator(SITE).create(creation, { attestation });
    return (await act(ann, { action: 'add', response, name: 'Laptop' })).status;
  };
  for (const kind of kinds) expect(await statusOf(kind)).toBe('403 passkey-unknown');
  expect(await statusOf()).toBe('422 passkey-expired');
});

test('a passkey of another host is named and does not sign in', async () => {
  const { ann, key } = await withPasskey();
  const moved = passkeysApi(site, { siteUrl: 'https://new.example' });
  expect((await moved.own(ann)).passkeys).toMatchObject([{ otherHost: 'blog.example' }]);
  expect(await moved.signIn(key, { origin: 'https://new.example' })).toEqual({ status: '403 passkey-unknown' });
  expect(await store.peopleOfOtherHosts('new.example')).toContain(ann.id);
  expect(await store.peopleOfOtherHosts('blog.example')).not.toContain(ann.id);
});

test('a blocked user’s passkey opens no session', async () => {
  const { ann, key, signIn } = await withPasskey();
  await users.updateStatus({ userId: ann.id, status: false });
  expect((await openSession(site, await signIn(key))).status).toBe(403);
  await users.updateStatus({ userId: ann.id, status: true });
  expect((await openSession(site, await signIn(key))).status).toBe(201);
});

test('a sign-up makes an account without a password, and an address has one account', async () => {
  const { signUp, signIn, own, ann } = await withPasskey();
  const email = newAddress();
  const { key, ...answer } = await signUp(email);
  const { session } = await openSession(site, answer);
  expect(await own({ session })).toMatchObject({ hasPassword: false, passkeys: [{ name: 'Passkey' }] });
  const account = { name: 'Stranger', email, passwordUpdate: '', emailVerification: false };
  expect(await users.get({ userId: answer.userId })).toMatchObject(account);
  expect(await signIn(key)).toMatchObject({ userId: answer.userId });
  const taken = await signUp(ann.email);
  expect(taken.status).toBe('409 address-taken');
  expect(await signIn(taken.key)).toEqual({ status: '403 passkey-unknown' });
});

test('a credential belongs to one account', async () => {
  const { ann, key, signUp, signIn } = await withPasskey();
  expect(await signUp(newAddress(), key)).toMatchObject({ status: '403 passkey-unknown' });
  expect((await signIn(key, { userHandle: '' })).userId).toBe(ann.id);
});

test('a network may call 60 times in ten minutes, sign up 10 times an hour, and find 20 accounts a day', async () => {
  const { optionsFor, use, api, act, ann, key, answer } = await withPasskey();
  const refused = expect.stringMatching(/^429 /);
  for (let call = 0; call < 10; call++)
    expect((await use({ action: 'sign-up', name: 'A', email: ann.email, response: { id: 'a' } })).status).toMatch(
      /^403/,
    );
  expect(await use({ action: 'sign-up', name: 'A', email: ann.email, response: { id: 'a' } })).toEqual({
    status: refused,
  });
  const { email } = await person(site);
  const probe = async () => act(ann, { action: 'change-email', email, proof: { response: await answer(key) } });
  for (let call = 0; call < 20; call++) expect(await probe()).toEqual({ status: '409 address-taken' });
  expect(await probe()).toEqual({ status: refused });
  // 33 calls so far: 1 to add a passkey, 11 to sign up, and 21 for proofs.
  for (let call = 33; call < 60; call++) expect((await optionsFor({ for: 'use' })).status).toBe('200');
  expect(await optionsFor({ for: 'use' })).toEqual({ status: refused });
  expect(api.limits.passkeys.limit).toBe(60);
});

test('an account is deleted with an answer by its own passkey only, and its passkeys go', async () => {
  const { api, ann, key, answer } = await withPasskey();
  const other = await withPasskey();
  const remove = (response: object) => ask(api, '/api/account/delete', ann.session, { response, posts: 'delete' });
  expect(await remove(await answer(other.key))).toEqual({ status: '403 passkey-unknown' });
  expect(await remove(await answer(key))).toMatchObject({ status: '200' });
  expect(await store.ofUser(ann.id)).toEqual([]);
  await expect(users.get({ userId: ann.id })).rejects.toMatchObject({ code: 404 });
  expect(await store.ofUser(other.ann.id)).toHaveLength(1);
});

/** Creates a stranger's account with another person's address, then has that person reset the password by email. */
async function squatted(
  make: (
    calls: Awaited<ReturnType<typeof withPasskey>>,
    address: string,
  ) => Promise<{ key: Authenticator; userId: string }>,
) {
  const calls = await withPasskey();
  const address = newAddress();
  const { key, userId } = await make(calls, address);
  expect(await calls.signIn(key)).toMatchObject({ status: '200' });
  // The backend makes these changes when the person uses the emailed link.
  await users.updateEmailVerification({ userId, emailVerification: true });
  await users.updatePassword({ userId, password: PASSWORD });
  await users.deleteSessions({ userId });
  return { ...calls, stranger: key, userId, real: { session: (await users.createSession({ userId })).secret } };
}

const SQUATS: Record<string, Parameters<typeof squatted>[0]> = {
  'signs up with': async ({ signUp, own }, address) => {
    const answer = await signUp(address);
    await own({ session: (await openSession(site, answer)).session });
    return answer;
  },
  'changes to': async ({ ann, key, answer, act, own }, email) => {
    await users.updateEmailVerification({ userId: ann.id, emailVerification: true });
    const added = passkeysApi(site);
    const other = await added.add(ann, 'Made while the own address was verified');
    await act(ann, { action: 'change-email', email, proof: { response: await answer(key) } });
    await own(ann);
    return { key: other.key, userId: ann.id };
  },
};

test.each(Object.entries(SQUATS))(
  'the passkey of a stranger who %s an address ends with the first proof of it',
  async (_, make) => {
    const { real, stranger, signIn, own } = await squatted(make);
    for (let visit = 0; visit < 2; visit++) {
      expect(await signIn(stranger)).toEqual({ status: '403 passkey-unproven' });
      const { passkeys } = await own(real);
      expect(passkeys.map(({ isUnproven }) => isUnproven)).toEqual(passkeys.map(() => true));
    }
  },
);

test('passkeys from before the proof work on if a session from before it is still there', async () => {
  const { ann, key, signIn, own } = await withPasskey();
  await users.updateEmailVerification({ userId: ann.id, emailVerification: true });
  expect(await signIn(key)).toEqual({ status: '403 passkey-unproven' });
  await own({ session: (await users.createSession({ userId: ann.id })).secret });
  expect(await signIn(key)).toEqual({ status: '403 passkey-unproven' });
  expect((await own(ann)).passkeys[0]).not.toHaveProperty('isUnproven');
  expect(await signIn(key)).toMatchObject({ status: '200' });
});

test('an invitation ends the passkey of a stranger who signed up with the address', async () => {
  const { api, signUp, signIn } = await withPasskey();
  const [owner, email] = [await person(site, 'owner'), newAddress()];
  const { key, userId } = await signUp(email);
  const invitation = { action: 'invite', email, role: 'editor', by: 'link' };
  expect(await ask(api, '/api/people', owner.session, invitation)).toMatchObject({ isRenewed: true });
  expect(await signIn(key)).toEqual({ status: '403 passkey-unknown' });
  expect(await store.ofUser(userId)).toEqual([]);
});

test('without a server key there are no passkeys', async () => {
  const { passkeys: _, ...api } = passkeysApi(site).api;
  expect(await ask(api, '/api/passkeys/options', '', { for: 'use' })).toMatchObject({
    status: expect.stringMatching(/^403/),
  });
});

test('only the server key reads what is stored', async () => {
  const { ann } = await withPasskey();
  for (const collectionId of ['passkeys', 'authenticator-keys', 'used-challenges']) {
    const place = { databaseId: 'blog', collectionId };
    for (const client of [guestClient(site.target), guestClient(site.target).setSession(ann.session)]) {
      expect((await new Databases(client).listDocuments(place).catch(() => ({ documents: [] }))).documents).toEqual([]);
      const data = { expiresAt: new Date().toISOString() };
      await expect(
        new Databases(client).createDocument({ ...place, documentId: ID.unique(), data }),
      ).rejects.toMatchObject({ code: 401 });
    }
  }
});
