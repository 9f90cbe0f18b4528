/** Brings the embedded backend to the schema the product needs, by the same code that provisions a real Appwrite. */
import { provision } from '#backend/provision.ts';
import type { Configuration } from './configuration.ts';
import { log } from './log.ts';

/** Provisions and logs each change. Idempotent. */
export async function provisionSite({ appwrite }: Configuration): Promise<void> {
  const changes = await provision({ ...appwrite, endpoint: appwrite.serverEndpoint, apiKey: appwrite.apiKey ?? '' });
  for (const change of changes) log('info', `provisioned: ${String(change)}`);
}
