import { createPasskeys, type PasskeysOptions } from '#backend/passkeys/passkeys.ts';
import { createPeople } from '#backend/people/people.ts';
import type { OwnPasskeys, OwnPasskeysAction, PasskeySignIn } from '#blog/passkeys.ts';
import { callApi, SITE } from './api.ts';
import { type Authenticator, authenticator, type Deviations } from './authenticator.ts';
import type { EmbeddedSite } from './embedded-site.ts';
import { ask, peopleApi, type Someone } from './people.ts';

type Answered<T> = T & { readonly status: string };

/** Returns functions that call the passkey API of a site, with separate rate limits. */
export function passkeysApi(site: EmbeddedSite, options: Partial<PasskeysOptions> = {}) {
  const { roleOf } = createPeople(site.target, { siteUrl: SITE, writers: undefined, published: async () => {} });
  const passkeys = createPasskeys(site.target, {
    ...{ siteUrl: SITE, siteName: () => 'Test', isWished: () => false, roleOf },
    ...options,
  });
  const api = { ...peopleApi(site), passkeys };
  const optionsFor = (asked: object, session = '') =>
    ask<Parameters<Authenticator['get']>[0]>(api, '/api/passkeys/options', session, asked);
  /** Returns the response of `key` to a new challenge. */
  const answer = async (key: Authenticator, deviations?: Deviations) =>
    key.get(await optionsFor({ for: 'use' }), deviations);
  const act = <T = OwnPasskeys>({ session }: Pick<Someone, 'session'>, action: OwnPasskeysAction | object) =>
    ask<Answered<T>>(api, '/api/passkeys/own', session, action);
  const use = (body: object) => ask<Answered<PasskeySignIn>>(api, '/api/passkeys', '', body);

  return {
    api,
    optionsFor,
    answer,
    act,
    use,
    signIn: async (key: Authenticator, deviations?: Deviations) =>
      use({ action: 'sign-in', response: await answer(key, deviations) }),

    async signUp(email: string, key = authenticator(SITE), deviations?: Deviations) {
      const person = { name: 'Stranger', email };
      const response = key.create(await optionsFor({ for: 'sign-up', ...person }), deviations);
      return { key, ...(await use({ action: 'sign-up', response, ...person })) };
    },

    /** Adds a passkey to an account. */
    async add(someone: Pick<Someone, 'session'>, name = 'Phone', deviations?: Deviations, more: object = {}) {
      const key = authenticator(SITE);
      const response = key.create(await optionsFor({ for: 'add' }, someone.session), deviations);
      return { key, ...(await act(someone, { action: 'add', response, name, ...more })) };
    },

    async own({ session }: Pick<Someone, 'session'>): Promise<Answered<OwnPasskeys>> {
      const request = new Request(`${SITE}/api/passkeys`, { headers: { cookie: `a_session_common-ink=${session}` } });
      const response = await callApi(request, api);
      return { status: `${response.status}`, ...((await response.json()) as OwnPasskeys) };
    },
  };
}

/** Opens the session for a sign-in, as a browser does. If the backend refuses, the returned `session` is empty. */
export async function openSession({ target }: EmbeddedSite, { userId, secret }: PasskeySignIn) {
  const response = await fetch(`${target.endpoint}/account/sessions/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-appwrite-project': target.projectId },
    body: JSON.stringify({ userId, secret }),
  });
  const [, session = ''] = /a_session_common-ink=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  return { status: response.status, session: decodeURIComponent(session) };
}
