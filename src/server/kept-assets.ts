/**
 * The scripts, styles and fonts of this build and of earlier ones. Stored pages, open tabs and CDNs name them for a while
 * after a new build took their place, so each build's files are kept in the data folder until 30 days after its last day
 * of service.
 */
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '@common-ink/http/log.ts';
import { filesBelow, type StaticFile } from '@common-ink/http/static-files.ts';

export interface KeptAssetsOptions {
  /** The files of the build that runs, and their compressed forms. */
  readonly built: string;
  readonly compressed?: string;
  /** Where files are kept; made when missing. */
  readonly kept: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const PREFIX = '/_astro/';
const KEPT_FOR = 30 * 24 * 3600 * 1000;
/** The names of the last build's files, beside the files. */
const LAST_BUILD = 'build.json';

/**
 * Keeps this build's files and drops those whose time is over. Gives what is to be served, by path: this build's files, whose
 * copies serve when another build has taken its place under the running server, and those that only earlier builds have.
 * Where nothing can be kept, a warning says so.
 */
export function openAssets(options: KeptAssetsOptions): Map<string, StaticFile> {
  const { built, compressed, kept, log } = options;
  const files = new Map<string, StaticFile>();
  try {
    for (const name of keep(options)) files.set(PREFIX + name, { paths: [join(kept, name)] });
  } catch (error) {
    log('warn', `The scripts of this build are not kept for pages that outlive it (${kept}).`, error);
  }
  const forms = new Set(compressed === undefined ? [] : filesBelow(compressed));
  for (const name of filesBelow(built)) {
    const isCompressed = compressed !== undefined && forms.has(`${name}.br`);
    const paths = [join(built, name), join(kept, name)];
    files.set(PREFIX + name, { paths, ...(isCompressed && { compressed: join(compressed, name) }) });
  }
  return files;
}

/** The names of the files that only earlier builds have. */
function keep({ built, kept, now = Date.now }: KeptAssetsOptions): Set<string> {
  mkdirSync(kept, { recursive: true });
  const current = new Set(filesBelow(built));
  const today = new Date(now());
  // They were in service until now.
  for (const name of lastBuild(kept)) if (!current.has(name)) touch(join(kept, name), today);
  const present = new Set(filesBelow(kept));
  for (const name of current) if (!present.has(name)) copy(join(built, name), join(kept, name));
  replace(join(kept, LAST_BUILD), (draft) => writeFileSync(draft, JSON.stringify([...current])));
  const former = new Set<string>();
  for (const name of present) {
    if (current.has(name) || name === LAST_BUILD) continue;
    const file = join(kept, name);
    if (name.endsWith('.new') || now() - statSync(file).mtimeMs > KEPT_FOR) rmSync(file);
    else former.add(name);
  }
  return former;
}

function lastBuild(kept: string): string[] {
  try {
    return JSON.parse(readFileSync(join(kept, LAST_BUILD), 'utf8')) as string[];
  } catch {
    return [];
  }
}

function touch(file: string, time: Date): void {
  try {
    utimesSync(file, time, time);
  } catch {
    // Somebody tidied the folder.
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  replace(to, (draft) => copyFileSync(from, draft));
}

/** Under its own name a file is whole. */
function replace(file: string, write: (draft: string) => void): void {
  try {
    write(`${file}.new`);
    renameSync(`${file}.new`, file);
  } catch (error) {
    // On a full disk a part of it would take the last room.
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
}
