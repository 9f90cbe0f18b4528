/** Changes an attached server through its management API (Appwrite 1.9.5+). Each function returns an undo function. */
import type { ProjectKeyScopes } from 'node-appwrite';
import { fresh } from './names.ts';
import { node } from './sdk.ts';
import type { Server } from './server.ts';

type Undo = () => Promise<void>;

export async function addWebPlatform(server: Server, hostname: string): Promise<Undo> {
  const { project } = node(server, { key: server.key });
  const platform = await project.createWebPlatform({ platformId: fresh('web'), name: hostname, hostname });
  return async () => void (await project.deletePlatform({ platformId: platform.$id }));
}

export async function addKey(server: Server, scopes: readonly string[], expire?: string) {
  const { project } = node(server, { key: server.key });
  const keyId = fresh('key');
  const body = { keyId, name: keyId, scopes: scopes as ProjectKeyScopes[], ...(expire && { expire }) };
  const { secret } = await project.createKey(body);
  return { secret, undo: async () => void (await project.deleteKey({ keyId })) };
}

export async function limitSessions(server: Server, total: number): Promise<Undo> {
  const { project } = node(server, { key: server.key });
  await project.updateSessionLimitPolicy({ total });
  // The API takes `null` for no limit, but the SDK's type does not allow it.
  return async () => void (await project.updateSessionLimitPolicy({ total: null as unknown as number }));
}
