/**
 * Servers for tests that need enforced limits, another policy or special keys. The embedded backend starts again with
 * the option; an attached server is configured through its management API. Tests that can use neither are skipped with
 * the reason.
 */
import { inject, type TestContext } from 'vitest';
import { later } from './cleanup.ts';
import { server } from './line.ts';
import { addKey, addWebPlatform, limitSessions } from './management.ts';
import { freshEmail } from './names.ts';
import { guest } from './people.ts';
import { LIMITED_SCOPES, type Server, startEmbedded } from './server.ts';

async function embeddedWith(choice: Parameters<typeof startEmbedded>[1]): Promise<Server> {
  const started = await startEmbedded(inject('embeddedKeys'), choice);
  later(started.stop);
  return started;
}

export async function limitsServer(context: TestContext): Promise<Server> {
  const endpoint = inject('limitsEndpoint');
  if (endpoint) return { ...server(), endpoint };
  return context.skip('needs a server that enforces rate limits: --limits-endpoint URL');
}

/** Returns a server whose mails `mailbox.ts` can read. */
export async function mailServer(context: TestContext): Promise<Server> {
  const mail = inject('mail');
  if (mail) return { ...server(), endpoint: mail.endpoint };
  return context.skip('needs a server whose mails can be read: --mailbox FOLDER');
}

export async function limitedMailServer(context: TestContext): Promise<Server> {
  await mailServer(context);
  return limitsServer(context);
}

export async function silentServer(context: TestContext): Promise<Server> {
  if (server().embedded) return server();
  const url = 'http://localhost:5173/';
  const { status } = await guest(server()).http.post('/account/recovery', { email: freshEmail(), url });
  return status === 503 ? server() : context.skip('the server sends mail');
}

/** Returns a server and a wait: the embedded server's clock jumps, an attached server's runs. */
export async function timeMachine(): Promise<{ server: Server; pass: (seconds: number) => Promise<void> }> {
  if (!server().embedded) {
    return { server: server(), pass: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)) };
  }
  const started = await startEmbedded(inject('embeddedKeys'));
  later(started.stop);
  return { server: started, pass: started.restart };
}

/** Waits for the next rate-limit window (aligned to the clock) if this one has fewer than `needed` seconds left. */
export async function roomInWindow(window: number, needed: number): Promise<void> {
  const left = window - ((Date.now() / 1000) % window);
  if (left < needed) await new Promise((resolve) => setTimeout(resolve, left * 1000 + 250));
}

/** Runs `work` on a server that allows a user `total` sessions. */
export async function withSessionLimit(
  total: number,
  context: TestContext,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  if (server().embedded) return work(await embeddedWith({ maxSessions: total }));
  const undo = await managed(context, limitSessions(server(), total));
  await work(server()).finally(undo);
}

/** Returns a server whose sessions last `seconds`. */
export async function briefSessions(seconds: number, context: TestContext): Promise<Server> {
  if (server().embedded) return embeddedWith({ sessionDuration: seconds });
  return context.skip('no API makes sessions shorter than a minute');
}

/** Returns a key with only `LIMITED_SCOPES`. */
export async function limitedKey(context: TestContext): Promise<string> {
  if (server().embedded) return inject('embeddedKeys').limited;
  const { secret, undo } = await managed(context, addKey(server(), LIMITED_SCOPES));
  later(undo);
  return secret;
}

export async function expiredKey(context: TestContext): Promise<string> {
  if (server().embedded) return inject('embeddedKeys').expired;
  const { secret, undo } = await managed(
    context,
    addKey(server(), ['users.read'], new Date(Date.now() - 60_000).toISOString()),
  );
  later(undo);
  return secret;
}

/** Returns a server that accepts `hostname` as a web platform. */
export async function withWebPlatform(hostname: string, context: TestContext): Promise<Server> {
  if (server().embedded) return embeddedWith({ webOrigins: ['localhost', hostname] });
  later(await managed(context, addWebPlatform(server(), hostname)));
  return server();
}

function managed<T>(context: TestContext, change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) =>
    context.skip(`the server's management API refused: ${error instanceof Error ? error.message : error}`),
  );
}
