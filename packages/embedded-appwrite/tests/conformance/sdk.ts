/**
 * Runs the official SDKs. The browser SDK gets a `window`, a `localStorage` per browser and an `Origin`. Node's fetch
 * stores no cookies, so the SDK relies on `X-Fallback-Cookies` and localStorage; raw HTTP tests the cookies.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as appwrite from 'appwrite';
import * as appwrite27 from 'appwrite-27';
import * as nodeAppwrite from 'node-appwrite';
import type { Server } from './server.ts';

export const PAGE_ORIGIN = 'http://localhost:5173';

class LocalStorage extends Map<string, string> {
  readonly getItem = (name: string) => this.get(name) ?? null;
  readonly setItem = (name: string, value: string) => void this.set(name, value);
}

const currentBrowser = new AsyncLocalStorage<LocalStorage>();
const nobody = new LocalStorage();

Object.defineProperty(globalThis, 'window', {
  writable: true,
  configurable: true,
  value: {
    get localStorage() {
      return currentBrowser.getStore() ?? nobody;
    },
    location: new URL(PAGE_ORIGIN),
    // The SDK warns on each call that localStorage contains the session, which is intended here.
    console: { ...console, warn: () => {} },
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
  },
});

/** Wraps `service` so that its methods use this `localStorage`. One process can thus act as several browsers. */
function inside<T extends object>(localStorage: LocalStorage, service: T): T {
  return new Proxy(service, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => currentBrowser.run(localStorage, () => Reflect.apply(member, target, args));
    },
  });
}

/** The cast is safe: the previous major release has the same methods and differs only in private members. */
const RELEASES = { 27: appwrite27 as unknown as typeof appwrite, 28: appwrite };
export type Browser = ReturnType<typeof browser>;

/** Returns the SDK on a page of `origin`. A `session` is stored where the SDK stores it after a sign-in. */
export function browser(
  server: Server,
  { session = '', origin = PAGE_ORIGIN, release = 28 }: { session?: string; origin?: string; release?: 27 | 28 } = {},
) {
  const { Account, Client, Databases, Realtime, Storage, TablesDB, Teams } = RELEASES[release];
  const localStorage = new LocalStorage();
  if (session) localStorage.setItem('cookieFallback', JSON.stringify({ [`a_session_${server.projectId}`]: session }));
  const client = new Client().setEndpoint(server.endpoint).setProject(server.projectId);
  client.headers.origin = origin;
  return {
    client: inside(localStorage, client),
    account: inside(localStorage, new Account(client)),
    databases: inside(localStorage, new Databases(client)),
    tables: inside(localStorage, new TablesDB(client)),
    storage: inside(localStorage, new Storage(client)),
    teams: inside(localStorage, new Teams(client)),
    realtime: inside(localStorage, new Realtime(client)),
    localStorage,
  };
}

/** Returns `node-appwrite` for a guest, a server key, or a user with a session secret or JWT. */
export function node(server: Server, who: { key?: string; session?: string; jwt?: string } = {}) {
  const client = new nodeAppwrite.Client().setEndpoint(server.endpoint).setProject(server.projectId);
  if (who.key) client.setKey(who.key);
  if (who.session) client.setSession(who.session);
  if (who.jwt) client.setJWT(who.jwt);
  return {
    client,
    account: new nodeAppwrite.Account(client),
    users: new nodeAppwrite.Users(client),
    databases: new nodeAppwrite.Databases(client),
    tables: new nodeAppwrite.TablesDB(client),
    storage: new nodeAppwrite.Storage(client),
    teams: new nodeAppwrite.Teams(client),
    tokens: new nodeAppwrite.Tokens(client),
    project: new nodeAppwrite.Project(client),
    webhooks: new nodeAppwrite.Webhooks(client),
  };
}
