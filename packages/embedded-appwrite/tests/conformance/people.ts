/** Users of a test, signed in through raw HTTP, the browser SDK and the Node SDK at once. */
import { argon2Sync } from 'node:crypto';
import type { Models } from 'node-appwrite';
import { later } from './cleanup.ts';
import { Http } from './http.ts';
import { fresh, freshEmail } from './names.ts';
import { type Browser, browser, type NodeSdk, node } from './sdk.ts';
import type { Server } from './server.ts';

export const PASSWORD = 'correct-horse-1';

/** The cheapest argon2id hash of `PASSWORD`: a server verifies it at the hash's own cost, so tests sign in fast. */
const CHEAP_HASH = phc({ memory: 8, passes: 1, parallelism: 1 });

function phc(cost: { memory: number; passes: number; parallelism: number }): string {
  const nonce = Buffer.from('conformance test');
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...cost });
  const [salt, digest] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${digest}`;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  /** Base64 of `{id, secret}`: the cookie's value and the argument of `setSession`. */
  readonly session: string;
  readonly sessionId: string;
  readonly http: Http;
  readonly web: Browser;
  readonly node: NodeSdk;
}

export function guest(server: Server): { http: Http; web: Browser; node: NodeSdk } {
  return { http: Http.to(server), web: browser(server), node: node(server) };
}

/** Returns a caller with the key that has every scope. */
export function admin(server: Server): { http: Http; node: NodeSdk } {
  return { http: Http.to(server, { 'x-appwrite-key': server.key }), node: node(server, { key: server.key }) };
}

/** Imports a user with `PASSWORD` by key, without using up the sign-up limit, hashing a password or signing in. */
export async function account(server: Server): Promise<{ id: string; email: string; password: string }> {
  const { http } = admin(server);
  const [id, email] = [fresh('user'), freshEmail()];
  (await http.post('/users/argon2', { userId: id, email, password: CHEAP_HASH })).is(201);
  later(() => http.delete(`/users/${id}`));
  return { id, email, password: PASSWORD };
}

/** Creates a user without a password, which needs no hashing, and a session by key. */
export async function person(server: Server): Promise<Person> {
  const { http } = admin(server);
  const [id, email] = [fresh('user'), freshEmail()];
  (await http.post('/users', { userId: id, email })).is(201);
  later(() => http.delete(`/users/${id}`));
  return as(server, { id, email }, (await http.post(`/users/${id}/sessions`)).is(201).json<Models.Session>());
}

/** Signs in by e-mail and password, like a browser. */
export async function signIn(server: Server, who: { id: string; email: string; password: string }): Promise<Person> {
  const answer = await Http.to(server).post('/account/sessions/email', { email: who.email, password: who.password });
  const session = answer.is(201).json<Models.Session>();
  const cookie = answer.cookie(`a_session_${server.projectId}`.toLowerCase());
  return as(server, who, { ...session, secret: decodeURIComponent(cookie?.value ?? '') });
}

function as(server: Server, who: { id: string; email: string }, { $id, secret }: Models.Session): Person {
  return {
    id: who.id,
    email: who.email,
    session: secret,
    sessionId: $id,
    http: Http.to(server, { 'x-appwrite-session': secret }),
    web: browser(server, { session: secret }),
    node: node(server, { session: secret }),
  };
}
