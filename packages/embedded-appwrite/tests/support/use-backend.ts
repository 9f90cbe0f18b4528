/** Test support: starts backends shared by a file's tests, or one for a single test. */
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { EmbeddedOptions } from '../../src/index.ts';
import { startTestBackend, type TestBackend } from './backend.ts';
import { startMailServer, type TestMailServer } from './mail-server.ts';

interface Used {
  readonly server: TestBackend;
  readonly mail: TestMailServer;
}

/** Returns a proxy for the object that `held` currently returns. */
const standIn = <T extends object>(held: () => T): T =>
  new Proxy({} as T, {
    get: (_, key) => Reflect.get(held(), key),
    set: (_, key, value) => Reflect.set(held(), key, value),
  });

/**
 * Starts a backend that mails through a test server, before all tests of the file or, with `each`, before each test.
 * @param prepare runs after each start
 */
export function useMailingBackend(
  options: Partial<EmbeddedOptions> = {},
  { each = false, prepare }: { each?: boolean; prepare?: (used: Used) => Promise<unknown> } = {},
): Used {
  let used: Used | undefined;
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    const mail = await startMailServer();
    used = { mail, server: await startTestBackend({ mail: mail.options, ...options }) };
    await prepare?.(used);
  });
  after(async () => {
    await used?.server.stop();
    await used?.mail.stop();
  });
  return { server: standIn(() => (used as Used).server), mail: standIn(() => (used as Used).mail) };
}

/** Starts a backend without mail before all tests of the file. */
export const useBackend = (options: Partial<EmbeddedOptions> = {}, prepare?: (used: Used) => Promise<unknown>) =>
  useMailingBackend({ mail: undefined, ...options }, { ...(prepare && { prepare }) }).server;

export async function backendOfTest(options: Partial<EmbeddedOptions> = {}): Promise<TestBackend> {
  const server = await startTestBackend(options);
  onTestFinished(server.stop);
  return server;
}
