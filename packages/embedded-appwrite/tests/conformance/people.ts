/** Callers of a server: guest, key, and users signed in through raw HTTP, the browser SDK and the Node SDK at once. */
import { argon2Sync } from 'node:crypto';
import type { Models } from 'node-appwrite';
import { inject } from 'vitest';
import { later } from './cleanup.ts';
import { Http, type HttpResponse } from './http.ts';
import { fresh, freshEmail } from './names.ts';
import { browser, node } from './sdk.ts';
import type { Server } from './server.ts';

export const server = (): Server => inject('server');
export const PASSWORD = 'correct-horse-1';
export const NEW_PASSWORD = 'another-horse-2';

/** The cheapest argon2id hash of `PASSWORD`. Servers use the parameters in the hash, so tests sign in quickly. */
const CHEAP_HASH = (() => {
  const nonce = Buffer.from('conformance test');
  const cost = { memory: 8, passes: 1, parallelism: 1 };
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...cost });
  const [salt, digest] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${digest}`;
})();

export interface Account {
  readonly server: Server;
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

export type Person = ReturnType<typeof as>;
export const guestOf = (where = server()) => ({ http: Http.to(where), web: browser(where), node: node(where) });

export const keyOf = (where = server()) => ({
  http: Http.to(where, { 'x-appwrite-key': where.key }),
  node: node(where, { key: where.key }),
});

/** Returns the name of a server's session cookie, in lower case, as Appwrite's framework sends it. */
export const cookieName = (where = server()): string => `a_session_${where.projectId}`.toLowerCase();
export const cookieNames = (): [string, string] => [cookieName(), `${cookieName()}_legacy`];

export const forget = (userId: string, where = server()): void =>
  later(() => keyOf(where).http.delete(`/users/${userId}`));

/** Imports a user with `PASSWORD`, without using up the sign-up limit, hashing a password or signing in. */
export async function account(where = server()): Promise<Account> {
  const [id, email] = [fresh('user'), freshEmail()];
  await keyOf(where).http.post('/users/argon2', { userId: id, email, password: CHEAP_HASH }).is(201);
  forget(id, where);
  return { server: where, id, email, password: PASSWORD };
}

/** Creates a user without a password, to avoid hashing, and signs in with a session created by a server key. */
export async function person(where = server()): Promise<Person> {
  const [id, email] = [fresh('user'), freshEmail()];
  await keyOf(where).http.post('/users', { userId: id, email }).is(201);
  forget(id, where);
  return anotherSession({ server: where, id, email });
}

export const people = (where: Server): Promise<[Person, Person, Person]> =>
  Promise.all([person(where), person(where), person(where)]);

export async function anotherSession(who: Omit<Account, 'password'>): Promise<Person> {
  return as(who, await keyOf(who.server).http.post(`/users/${who.id}/sessions`).json<Models.Session>(201));
}

export const logIn = (email: string, password: string, where = server()) =>
  Http.to(where).post('/account/sessions/email', { email, password });

export async function signIn(who: Account): Promise<Person> {
  const answer = await logIn(who.email, who.password, who.server).is(201);
  const cookie = answer.cookie(cookieName(who.server));
  return as(who, { ...answer.json<Models.Session>(), secret: decodeURIComponent(cookie?.value ?? '') });
}

/** Returns a client with the session cookie from the response to a sign-in. */
export function signedIn(answer: HttpResponse, where = server()): Http {
  const name = cookieName(where);
  return Http.to(where, { cookie: `${name}=${answer.cookie(name)?.value}` });
}

export async function anonymous(where = server()) {
  const answer = await Http.to(where).post('/account/sessions/anonymous').is(201);
  const { userId: id } = answer.json<Models.Session>();
  forget(id, where);
  return { id, answer, http: signedIn(answer, where) };
}

export const jwtOf = async (who: Person): Promise<string> =>
  (await who.http.post('/account/jwts', {}).json<Models.Jwt>(201)).jwt;

export const byJwt = (jwt: string): Http => Http.to(server(), { 'x-appwrite-jwt': jwt });

function as({ server, id, email }: Omit<Account, 'password'>, { $id, secret: session }: Models.Session) {
  return {
    /** `session` is base64 of `{id, secret}`: the cookie's value and the argument of `setSession`. */
    ...{ server, id, email, session, sessionId: $id },
    cookie: `${cookieName(server)}=${encodeURIComponent(session)}`,
    http: Http.to(server, { 'x-appwrite-session': session }),
    web: browser(server, { session }),
    node: node(server, { session }),
  };
}
