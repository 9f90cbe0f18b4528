/**
 * Stores the slug and fingerprints of each imported file. Importing again restores missing entries for posts that have
 * not changed.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PostValues, postValues } from '#blog/post.ts';

export interface Entry {
  readonly slug: string;
  readonly source: string;
  readonly stored: string;
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

export async function openLedger(dataDirectory: string, name: string) {
  const file = join(dataDirectory, 'imports', `${fingerprint(name)}.json`);
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Record<string, Entry>) : {};
  const entries = new Map(Object.entries(known));
  return {
    entries,
    async save(): Promise<void> {
      await mkdir(dirname(file), { recursive: true });
      const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
      await writeFile(`${file}.new`, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
      await rename(`${file}.new`, file);
    },
  };
}

export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Fingerprints all fields of `PostValues` except empty optional ones, so that new fields change no fingerprint. */
export function postFingerprint(post: PostValues): string {
  const { title, content, featuredImage, status, ...others } = postValues(post);
  const filled = Object.entries(others).filter(([, value]) => value !== '');
  return fingerprint(JSON.stringify([title, content, featuredImage, status, ...filled]));
}
