import { join } from 'node:path';
import { putFormerDataBack } from 'embedded-appwrite/backup';
import { BACKEND } from '#operations/backup/write-backup.ts';
import type { Configuration } from '#server/configuration.ts';
import { readJournal, writeJournal } from './places.mjs';
import { ROOT } from './releases.ts';

/** Completes a rollback by restoring the previous release's data. @throws StoreError while a server uses the data */
export function finishTakingBack({ dataDirectory, appwrite }: Configuration): void {
  const journal = readJournal(ROOT);
  if (journal?.state !== 'putting data back') return;
  const kept = appwrite.endpoint ? undefined : putFormerDataBack(join(dataDirectory, BACKEND), journal.known);
  if (kept)
    console.error(`The data was restored to its state before the upgrade. Anything written since then is in ${kept}.`);
  writeJournal(ROOT, { ...journal, state: 'prepared' });
}
