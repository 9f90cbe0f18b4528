/** Once per run: makes sure there is a server to test, and says in one sentence what is wrong when there is none. */
import type { TestProject } from 'vitest/node';
import { Http } from './http.ts';
import { addWebPlatform } from './management.ts';
import { EMBEDDED_KEYS, type Server, startEmbedded } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: Server;
    /** The same project where limits are enforced; undefined = start one if embedded, else skip. */
    limitsEndpoint: string | undefined;
    embeddedKeys: typeof EMBEDDED_KEYS;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = readSettings();
  project.provide('limitsEndpoint', settings.limitsEndpoint);
  project.provide('embeddedKeys', EMBEDDED_KEYS);
  if (settings.endpoint === undefined) {
    const { stop, restart: _, ...server } = await startEmbedded(EMBEDDED_KEYS);
    project.provide('server', server);
    return stop;
  }
  const server = { endpoint: settings.endpoint, projectId: settings.projectId, key: settings.key, embedded: false };
  await greet(server, settings);
  project.provide('server', server);
  return registerLocalhost(server);
}

async function greet(server: Server, settings: Settings): Promise<void> {
  const http = Http.to(server, { 'x-appwrite-key': server.key });
  const answer = await http
    .get('/users', { query: { queries: ['{"method":"limit","values":[1]}'] } })
    .catch((error) => {
      throw new Error(`No server answers at ${settings.endpoint}: ${error instanceof Error ? error.message : error}`);
    });
  if (answer.status !== 200) {
    throw new Error(`${settings.endpoint} does not accept the project and the key: ${answer.status} ${answer.text}`);
  }
}

/** The checklist's setup wants `localhost` among the project's web platforms. */
async function registerLocalhost(server: Server): Promise<() => Promise<void>> {
  const answer = await Http.to(server, { origin: 'http://localhost:5173' }).get('/account');
  if (answer.status !== 403) return async () => {};
  return addWebPlatform(server, 'localhost');
}
