import { provision } from '#backend/provision.ts';
import type { Configuration } from '../configuration.ts';
import { log } from '../log/log.ts';

/**
 * Provisions the site's backend. Logs each correction, and how many collections, attributes and other parts it created.
 */
export async function provisionSite({ appwrite, writers }: Configuration): Promise<void> {
  const target = { ...appwrite, endpoint: appwrite.serverEndpoint, apiKey: appwrite.apiKey ?? '' };
  const changes = await provision(target, { writers });
  const made = Map.groupBy(changes, (change) => /^(\w+) .+: created\b/.exec(change)?.[1]);
  for (const correction of made.get(undefined) ?? []) log('info', `Set up in the backend: ${correction}`);
  made.delete(undefined);
  const counts = Array.from(made, ([kind, { length }]) => `${length} × ${kind}`);
  if (counts.length > 0) log('info', `The backend is set up: ${counts.join(', ')}.`);
}
