/** Once per run: makes sure that there is a server to test. */
import type { TestProject } from 'vitest/node';
import { attach } from './attach.ts';
import { Http } from './http.ts';
import { addWebPlatform } from './management.ts';
import { EMBEDDED_KEYS, type Server, startEmbedded } from './server.ts';
import { readSettings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: Server;
    /** The same project where rate limits are enforced; the lines about them are skipped without it. */
    limitsEndpoint: string | undefined;
    embeddedKeys: typeof EMBEDDED_KEYS;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = readSettings();
  project.provide('embeddedKeys', EMBEDDED_KEYS);
  if (settings.endpoint === undefined) {
    const [free, limited] = await Promise.all([
      startEmbedded(EMBEDDED_KEYS),
      startEmbedded(EMBEDDED_KEYS, { rateLimits: true }),
    ]);
    const { endpoint, projectId, key, embedded, mailbox } = free;
    project.provide('server', { endpoint, projectId, key, embedded, mailbox });
    project.provide('limitsEndpoint', limited.endpoint);
    return async () => void (await Promise.all([free.stop(), limited.stop()]));
  }
  project.provide('limitsEndpoint', settings.limitsEndpoint);
  const server = await attach(settings.endpoint, settings);
  project.provide('server', server);
  return registerLocalhost(server);
}

/** The checklist's setup wants `localhost` among the project's web platforms. */
async function registerLocalhost(server: Server): Promise<() => Promise<void>> {
  const answer = await Http.to(server, { origin: 'http://localhost:5173' }).get('/account');
  if (answer.status !== 403) return async () => {};
  return addWebPlatform(server, 'localhost');
}
