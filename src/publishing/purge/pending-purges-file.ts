/**
 * What a process leaves unpurged, in a small file for the next one. A process that was killed leaves none: it may have
 * been between a write and its purge, so everything is purged. The same after a build with other pages, and where
 * nothing is known of the time before.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Log } from '@common-ink/http/log.ts';
import { z } from 'zod';
import { EVERYTHING, type PendingPurge } from './purge-queue.ts';

const names = z.array(z.string()).readonly();
const schema = z.object({ build: z.string(), tags: names, paths: names, everything: z.boolean() });

/** Reads the file and leaves word that a process runs. `build` names the site's pages as they are made now. */
export function takePending(file: string, build: string, log: Log): PendingPurge {
  const left = read(file);
  // The next process finds this, unless this one ends in good order.
  write(file, '{}', log);
  if (left?.build === build) return left;
  log(
    'info',
    `All pages are purged from the CDN: ${left ? 'the site was built anew' : 'the last run did not end in order'}.`,
  );
  return EVERYTHING;
}

/** To be called at the end. */
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
    log('error', `${file} could not be written: a restart may forget what the CDN was to be told.`, error);
  }
}
