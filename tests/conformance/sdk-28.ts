/** `appwrite` 28 in a browser of its own, beside the SDK in use. */
import * as appwrite from 'appwrite-28';
import { inside, LocalStorage, PAGE_ORIGIN } from './sdk.ts';
import type { Server } from './server.ts';

export interface Browser28 {
  readonly account: appwrite.Account;
  readonly databases: appwrite.Databases;
  readonly teams: appwrite.Teams;
  readonly realtime: appwrite.Realtime;
  readonly localStorage: LocalStorage;
}

/** A browser as `browser` in `sdk.ts`. */
export function browser28(server: Server, session = ''): Browser28 {
  const localStorage = new LocalStorage();
  if (session) localStorage.setItem('cookieFallback', JSON.stringify({ [`a_session_${server.projectId}`]: session }));
  const client = new appwrite.Client().setEndpoint(server.endpoint).setProject(server.projectId);
  client.headers.origin = PAGE_ORIGIN;
  return {
    account: inside(localStorage, new appwrite.Account(client)),
    databases: inside(localStorage, new appwrite.Databases(client)),
    teams: inside(localStorage, new appwrite.Teams(client)),
    realtime: inside(localStorage, new appwrite.Realtime(client)),
    localStorage,
  };
}
