import { Http } from './http.ts';
import type { Server } from './server.ts';
import { type Settings, SettingsError } from './settings.ts';

/** Returns the server at `endpoint`. @throws SettingsError if it does not respond, or rejects the project or the key */
export async function attach(endpoint: string, { projectId, key }: Settings): Promise<Server> {
  const server = { endpoint, projectId, key, embedded: false };
  const queries = [JSON.stringify({ method: 'limit', values: [1] })];
  const answer = await Http.to(server, { 'x-appwrite-key': key })
    .get('/users', { query: { queries } })
    .catch((error: unknown) => {
      throw new SettingsError(`No server answers at ${endpoint}: ${error instanceof Error ? error.message : error}.`);
    });
  if (answer.status !== 200) {
    throw new SettingsError(`${endpoint} does not accept project ${projectId} with this key: ${answer.text}`);
  }
  return server;
}
