/** The data of a real Appwrite as an embedded backend has them: what `npm run move` fetches, for a backup. */
import { randomBytes } from 'node:crypto';
import { takeCopy } from 'embedded-appwrite/backup';
import { move } from '#backend/move/move.ts';
import type { ServerTarget } from '#backend/target.ts';
import { withBackendIn } from '#server/backend/embedded.ts';
import type { Configuration } from '#server/configuration.ts';

/**
 * Fetches users, posts, former versions and files into the new folder `target`.
 * @throws Error with a sentence for each thing that could not be fetched: a backup that lacks something is none.
 */
export async function copyRemote(configuration: Configuration, target: string): Promise<void> {
  const { serverEndpoint, projectId, databaseId, collectionId, revisionsId, bucketId, apiKey } = configuration.appwrite;
  if (!apiKey) throw new Error('APPWRITE_API_KEY is not set. Make a server key in the Appwrite console and set it.');
  const ids = { projectId, databaseId, collectionId, revisionsId, bucketId };
  const remote: ServerTarget = { ...ids, endpoint: serverEndpoint, apiKey };
  const fetched = `${target}.fetched`;
  const ownKey = randomBytes(32).toString('hex');
  const { report, differences } = await withBackendIn(configuration, fetched, ownKey, (own) =>
    move(remote, { ...ids, ...own }, { dryRun: false, onProgress: () => {} }),
  );
  const failed = [...Object.values(report).flatMap((stage) => stage.failed), ...differences];
  if (failed.length > 0) throw new Error(`Not everything could be fetched.\n${failed.join('\n')}`);
  await takeCopy(fetched, target);
}
