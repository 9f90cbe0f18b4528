import { Account, Client } from 'node-appwrite';
import { expect, test } from 'vitest';
import { createPasskeys } from '#backend/passkeys/passkeys.ts';
import { createPeople } from '#backend/people/people.ts';
import type { OwnPasskeys, PasskeySignIn } from '#blog/passkeys.ts';
import { SITE } from '../../../tests/support/api.ts';
import { type Authenticator, authenticator } from '../../../tests/support/authenticator.ts';
import { ask, peopleApi, person } from '../../../tests/support/people.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';

const site = await sharedSite();
const { roleOf } = createPeople(site.target, { siteUrl: SITE, writers: undefined, published: async () => {} });
const api = {
  ...peopleApi(site),
  passkeys: createPasskeys(site.target, { siteUrl: SITE, siteName: () => 'Test', isWished: () => false, roleOf }),
};
type Options = Parameters<Authenticator['get']>[0];
const options = (asked: object, session = '') => ask<Options>(api, '/api/passkeys/options', session, asked);

test('signs in with a passkey that was added to an account', async () => {
  const ann = await person(site);
  const key = authenticator(SITE);
  const response = key.create(await options({ for: 'add' }, ann.session));
  const added = await ask<OwnPasskeys>(api, '/api/passkeys/own', ann.session, {
    action: 'add',
    response,
    name: 'Phone',
  });
  expect(added).toMatchObject({ status: '200', passkeys: [{ name: 'Phone' }], hasPassword: true, givesCodes: false });
  const answer = await ask<PasskeySignIn>(api, '/api/passkeys', '', {
    action: 'sign-in',
    response: key.get(await options({ for: 'use' })),
  });
  expect(answer).toMatchObject({ status: '200', userId: ann.id, codes: [] });
  const client = new Client().setEndpoint(site.target.endpoint).setProject('common-ink');
  const session = await new Account(client).createSession({ userId: answer.userId, secret: answer.secret });
  expect(session.userId).toBe(ann.id);
});
