/** Servers with non-default settings: a new embedded backend, or the attached server after changes through its API. */
import { inject, type TestContext } from 'vitest';
import { later, pause } from './cleanup.ts';
import { addKey, addWebPlatform, limitSessions } from './management.ts';
import { freshEmail } from './names.ts';
import { guestOf, server } from './people.ts';
import { LIMITED_SCOPES, type Server, type StartedServer, startEmbedded } from './server.ts';

type Skip = TestContext['skip'];

export async function embeddedWith(choice?: Parameters<typeof startEmbedded>[1]): Promise<StartedServer> {
  const started = await startEmbedded(inject('embeddedKeys'), choice);
  later(started.stop);
  return started;
}

export async function silentServer(skip: Skip): Promise<Server> {
  if (server().embedded) return server();
  const url = 'http://localhost:5173/';
  const { status } = await guestOf().http.post('/account/recovery', { email: freshEmail(), url });
  return status === 503 ? server() : skip('the server sends mail');
}

/** Returns a server and a function that lets time pass, by moving an embedded backend's clock or by waiting. */
export async function timeMachine(): Promise<{ server: Server; pass: (seconds: number) => Promise<void> }> {
  if (!server().embedded) return { server: server(), pass: (seconds) => pause(seconds * 1000) };
  const started = await embeddedWith();
  return { server: started, pass: started.restart };
}

/**
 * Runs `work` within one rate-limit window (aligned to the clock). Waits for the next window if fewer than `needed`
 * seconds are left in the current one, and repeats `work` if it fails and a new window has begun in the meantime.
 */
export async function inOneWindow(window: number, needed: number, work: () => Promise<void>): Promise<void> {
  const current = () => Math.floor(Date.now() / 1000 / window);
  for (;;) {
    const left = window - ((Date.now() / 1000) % window);
    if (left < needed) await pause(left * 1000 + 250);
    const begun = current();
    try {
      return await work();
    } catch (error) {
      if (current() === begun) throw error;
    }
  }
}

export async function withSessionLimit(total: number, skip: Skip, work: (on: Server) => Promise<void>): Promise<void> {
  if (server().embedded) return work(await embeddedWith({ maxSessions: total }));
  const undo = await managed(skip, limitSessions(server(), total));
  await work(server()).finally(undo);
}

export async function briefSessions(seconds: number, skip: Skip): Promise<StartedServer> {
  if (server().embedded) return embeddedWith({ sessionDuration: seconds });
  return skip('no API makes sessions shorter than a minute');
}

export async function limitedKey(skip: Skip): Promise<string> {
  if (server().embedded) return inject('embeddedKeys').limited;
  const { secret, undo } = await managed(skip, addKey(server(), LIMITED_SCOPES));
  later(undo);
  return secret;
}

export async function expiredKey(skip: Skip): Promise<string> {
  if (server().embedded) return inject('embeddedKeys').expired;
  const past = new Date(Date.now() - 60_000).toISOString();
  const { secret, undo } = await managed(skip, addKey(server(), ['users.read'], past));
  later(undo);
  return secret;
}

export async function withWebPlatform(hostname: string, skip: Skip): Promise<Server> {
  if (server().embedded) return embeddedWith({ webOrigins: ['localhost', hostname] });
  later(await managed(skip, addWebPlatform(server(), hostname)));
  return server();
}

function managed<T>(skip: Skip, change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) =>
    skip(`the server's management API refused: ${error instanceof Error ? error.message : error}`),
  );
}
