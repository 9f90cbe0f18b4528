/** Keeps pictures swept that no post uses any more (`backend/sweep`), and remembers since when each is unused. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Mark, type SweepReport, sweepPictures } from '#backend/sweep/pictures.ts';
import type { SweepTarget } from '#backend/sweep/target.ts';
import { faultOf } from '#blog/errors.ts';
import type { Configuration } from '../configuration.ts';
import { log } from '../log/log.ts';

const MINUTE = 60_000;
/** After the start, which has other things to do. */
const FIRST_AFTER = 10 * MINUTE;
const EVERY = 360 * MINUTE;

const stored = z.object({ unused: z.record(z.string(), z.object({ since: z.string(), touched: z.string() })) });

/** Sweeps now and then until the function that it gives is called. Without a server key it does nothing. */
export function keepSwept(configuration: Configuration): () => void {
  const target = sweepTarget(configuration);
  if (!target || !configuration.sweepsPictures) return () => {};
  let timer = setTimeout(run, FIRST_AFTER).unref();
  async function run(): Promise<void> {
    if (await sweepOnce(configuration, target as SweepTarget)) timer = setTimeout(run, EVERY).unref();
  }
  return () => clearTimeout(timer);
}

/** What sweeping needs; undefined where there is no server key. */
export function sweepTarget({ appwrite }: Configuration): SweepTarget | undefined {
  const { serverEndpoint: endpoint, projectId, databaseId, collectionId, revisionsId, bucketId, apiKey } = appwrite;
  return apiKey ? { endpoint, projectId, databaseId, collectionId, revisionsId, bucketId, apiKey } : undefined;
}

/** Sweeps once and says what it did. False when asking again would not help. */
export async function sweepOnce(
  { dataDirectory }: Pick<Configuration, 'dataDirectory'>,
  target: SweepTarget,
  now = new Date(),
): Promise<boolean> {
  const file = join(dataDirectory, 'unused-pictures.json');
  try {
    const report = await sweepPictures(target, readMarks(file), now);
    writeMarks(file, report.marks);
    logReport(report);
    return true;
  } catch (error) {
    const { code, type, message } = faultOf(error);
    if (code !== 401) {
      log('warn', `Unused pictures were not swept; it is tried again later. ${message}`);
      return true;
    }
    const hint = type === 'general_unauthorized_scope' ? ' Give the key documents and files, each read and write.' : '';
    log('info', `Unused pictures are not swept: ${message}${hint}`);
    return false;
  }
}

function logReport({ deleted, hidden, versions, refusal }: SweepReport): void {
  if (refusal) log('warn', `Unused pictures: ${refusal}`);
  if (deleted.length > 0)
    log('info', `${deleted.length} pictures that no post uses were deleted: ${deleted.join(' ')}`);
  if (hidden.length > 0) {
    log('info', `${hidden.length} pictures that no published post shows were hidden: ${hidden.join(' ')}`);
  }
  if (versions > 0) log('info', `${versions} former versions of deleted posts were deleted.`);
}

/** A file that is not there, or broken, means that nothing is known: every picture's time begins anew. */
function readMarks(file: string): ReadonlyMap<string, Mark> {
  try {
    return new Map(Object.entries(stored.parse(JSON.parse(readFileSync(file, 'utf8'))).unused));
  } catch {
    return new Map();
  }
}

function writeMarks(file: string, marks: ReadonlyMap<string, Mark>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify({ unused: Object.fromEntries(marks) }, undefined, 1)}\n`);
  renameSync(`${file}.new`, file);
}
