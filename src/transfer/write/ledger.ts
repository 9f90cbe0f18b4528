/**
 * What was imported from a folder before: which slug each file got, and fingerprints of the file and of what was stored.
 * It keeps slugs stable when files are added, and edits made here safe from the next run. Lost, it is made anew from
 * what is stored.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PostValues, postValues } from '#blog/post.ts';

export interface Entry {
  readonly slug: string;
  /** Fingerprint of the file's text. */
  readonly source: string;
  /** Fingerprint of the post as the import stored it. */
  readonly stored: string;
}

export interface Ledger {
  readonly entries: Map<string, Entry>;
  save(): Promise<void>;
}

/** The ledger of one folder, one author and one collection. @param name what tells these apart */
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

/** Entries put into one text: a ledger of many thousand is never one text as a whole. */
const AT_ONCE = 500;

/** The entries as a JSON object, by their paths. */
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

/** A fingerprint of the fields; dates are the backend's business. An empty field is as good as none, so that new ones change nothing. */
export function postFingerprint(post: PostValues): string {
  const { title, content, featuredImage, status, ...others } = postValues(post);
  const filled = Object.entries(others).filter(([, value]) => value !== '');
  return fingerprint(JSON.stringify([title, content, featuredImage, status, ...filled]));
}
