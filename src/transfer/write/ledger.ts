/**
 * Remembers what was imported from a source: the slug of each file and fingerprints of the file and the stored post. It
 * keeps slugs stable and edits safe. A lost ledger is rebuilt from the stored posts.
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

export interface Ledger {
  readonly entries: Map<string, Entry>;
  save(): Promise<void>;
}

/** @param name identifies the folder, the author and the collection */
export async function openLedger(dataDirectory: string, name: string): Promise<Ledger> {
  const file = join(dataDirectory, 'imports', `${fingerprint(name)}.json`);
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Record<string, Entry>) : {};
  const entries = new Map(Object.entries(known));
  return {
    entries,
    async save() {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(`${file}.new`, jsonOf(entries));
      await rename(`${file}.new`, file);
    },
  };
}

/** Entries per string: the JSON of many thousand is never one string. */
const AT_ONCE = 500;

function* jsonOf(entries: Ledger['entries']): Generator<string> {
  const paths = [...entries.keys()].sort();
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const lines = paths
      .slice(from, from + AT_ONCE)
      .map((path) => ` ${JSON.stringify(path)}: ${JSON.stringify(entries.get(path))}`);
    yield `${from === 0 ? '{\n' : ',\n'}${lines.join(',\n')}`;
  }
  yield paths.length === 0 ? '{}\n' : '\n}\n';
}

export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Fingerprints the fields without dates. An empty field counts as absent, so that new fields change nothing. */
export function postFingerprint(post: PostValues): string {
  const { title, content, featuredImage, status, ...others } = postValues(post);
  const filled = Object.entries(others).filter(([, value]) => value !== '');
  return fingerprint(JSON.stringify([title, content, featuredImage, status, ...filled]));
}
