/** Deletes pictures that no post uses (`backend/sweep`), and records how long each picture has been unused. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Mark, type SweepReport, sweepPictures } from '#backend/sweep/pictures.ts';
import type { ServerTarget } from '#backend/target.ts';
import { faultOf } from '#blog/errors.ts';
import type { Configuration } from '../configuration.ts';
import { log } from '../log/log.ts';
import { every, type RepeatedJob } from './every.ts';

/** Delay of the first sweep, so that it does not slow down the startup. */
const FIRST_AFTER_MS = 10 * 60_000;
const EVERY_MS = 6 * 3_600_000;

const stored = z.object({ unused: z.record(z.string(), z.object({ since: z.string(), touched: z.string() })) });

/** Sweeps every six hours; returns undefined if sweeping is off or there is no server key. */
export function keepSwept(configuration: Configuration): RepeatedJob | undefined {
  const target = sweepTarget(configuration);
  if (!target || !configuration.sweepsPictures) return undefined;
  return every(FIRST_AFTER_MS, async () => ((await sweepOnce(configuration, target)) ? EVERY_MS : undefined));
}

export function sweepTarget({ appwrite }: Configuration): ServerTarget | undefined {
  const { apiKey, serverEndpoint: endpoint } = appwrite;
  return apiKey ? { ...appwrite, endpoint, apiKey } : undefined;
}

/** Sweeps and logs the result. Returns false if the key lacks the required scopes, because a retry would fail too. */
export async function sweepOnce(
  { dataDirectory }: Pick<Configuration, 'dataDirectory'>,
  target: ServerTarget,
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
      log('warn', `Unused pictures could not be deleted; the server will try again later. ${message}`);
      return true;
    }
    const hint =
      type === 'general_unauthorized_scope'
        ? ' Give the server key the read and write scopes of documents and files.'
        : '';
    log('info', `Unused pictures cannot be deleted: ${message}${hint}`);
    return false;
  }
}

function logReport({ deleted, hidden, versions, refusal }: SweepReport): void {
  if (refusal) log('warn', `Unused pictures: ${refusal}`);
  if (deleted.length > 0) log('info', `Deleted ${deleted.length} pictures that no post uses: ${deleted.join(' ')}`);
  if (hidden.length > 0) {
    log('info', `Hid ${hidden.length} pictures that no published post shows: ${hidden.join(' ')}`);
  }
  if (versions > 0) log('info', `Deleted ${versions} former versions of deleted posts.`);
}

/** Returns when each picture became unused. If the file is missing or invalid, all waiting periods start again. */
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
