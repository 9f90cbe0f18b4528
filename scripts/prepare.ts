/** Runs before a server starts: finishes a rollback and builds the site if it is stale. Exits with 1 if this fails. */
import { StoreError } from 'embedded-appwrite';
import { OperatorError } from '#blog/errors.ts';
import { readConfiguration } from '#server/configuration.ts';
import { buildIfStale } from './build-stamp.ts';
import { finishTakingBack } from './upgrade/taking-back.ts';

try {
  finishTakingBack(readConfiguration());
  buildIfStale(() => console.log('Building the site (only when its sources have changed) …'));
} catch (error) {
  if (!(error instanceof StoreError || error instanceof OperatorError)) throw error;
  console.error((error as Error).message);
  process.exit(1);
}
