/** Saves unfinished purges across restarts. A killed process saves none, so the next process purges everything. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Log } from '@common-ink/http/log.ts';
import { z } from 'zod';
import { EVERYTHING, type PendingPurge } from './purge-queue.ts';

const names = z.array(z.string()).readonly();
const schema = z.object({ build: z.string(), tags: names, paths: names, everything: z.boolean() });

/** Returns the last run's purges, or `EVERYTHING` if it was killed or used another build. Marks the file as in use. */
export function takePending(file: string, build: string, log: Log): PendingPurge {
  const left = read(file);
  // If the process is killed, this mark stays, and the next process purges everything.
  write(file, '{}', log);
  if (left?.build === build) return left;
  log(
    'info',
    `Purging all pages from the CDN: ${left ? 'the site was rebuilt' : 'there is no record of a clean shutdown'}.`,
  );
  return EVERYTHING;
}

export function savePending(file: string, build: string, owed: PendingPurge, log: Log): void {
  write(file, JSON.stringify({ build, ...owed }), log);
}

function read(file: string): z.infer<typeof schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function write(file: string, text: string, log: Log): void {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    log('error', `${file} could not be written. After a restart, some changes may never reach the CDN.`, error);
  }
}
