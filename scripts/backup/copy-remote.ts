import { randomBytes } from 'node:crypto';
import { takeCopy } from 'embedded-appwrite/backup';
import { move } from '#backend/move/move.ts';
import { OperatorError } from '#blog/errors.ts';
import { withBackendIn } from '#server/backend/embedded.ts';
import type { Configuration } from '#server/configuration.ts';

/** Copies a remote Appwrite's data to `target`. @throws OperatorError naming each item that could not be copied */
export async function copyRemote(configuration: Configuration, target: string): Promise<void> {
  const { appwrite, siteUrl } = configuration;
  const { serverEndpoint: endpoint, apiKey } = appwrite;
  if (!apiKey)
    throw new OperatorError(
      'APPWRITE_API_KEY is not set. Create a server key in the Appwrite console and set it here.',
    );
  const fetched = `${target}.fetched`;
  const ownKey = randomBytes(32).toString('hex');
  const { report, differences } = await withBackendIn(configuration, fetched, ownKey, (own) =>
    move(
      { ...appwrite, endpoint, apiKey },
      { ...appwrite, ...own },
      { dryRun: false, host: new URL(siteUrl).hostname, onProgress: () => {} },
    ),
  );
  const failed = [...Object.values(report).flatMap((stage) => stage.failed), ...differences];
  if (failed.length > 0) throw new OperatorError(`Some data could not be fetched:\n${failed.join('\n')}`);
  await takeCopy(fetched, target);
}
