/** Keeps a replaced build's assets for 30 days, because stored pages, open tabs and CDNs still refer to them. */
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
  readonly built: string;
  readonly compressed?: string;
  readonly kept: string;
  readonly log: Log;
  readonly now?: () => number;
}

const PREFIX = '/_astro/';
const KEPT_MS = 30 * 24 * 3600 * 1000;
const LAST_BUILD = 'build.json';

/** Returns the files to serve, by URL path. Logs a warning if the files cannot be kept. */
export function openAssets(options: KeptAssetsOptions): Map<string, StaticFile> {
  const { built, compressed, kept, log } = options;
  const files = new Map<string, StaticFile>();
  try {
    for (const name of keep(options)) files.set(PREFIX + name, { paths: [join(kept, name)] });
  } catch (error) {
    log(
      'warn',
      `Could not keep this build’s scripts in ${kept}. Open pages may need them after the next build.`,
      error,
    );
  }
  const forms = new Set(compressed === undefined ? [] : filesBelow(compressed));
  for (const name of filesBelow(built)) {
    const isCompressed = compressed !== undefined && forms.has(`${name}.br`);
    const paths = [join(built, name), join(kept, name)];
    files.set(PREFIX + name, { paths, ...(isCompressed && { compressed: join(compressed, name) }) });
  }
  return files;
}

function keep({ built, kept, now = Date.now }: KeptAssetsOptions): Set<string> {
  mkdirSync(kept, { recursive: true });
  const current = new Set(filesBelow(built));
  const today = new Date(now());
  for (const name of lastBuild(kept)) if (!current.has(name)) touch(join(kept, name), today);
  const present = new Set(filesBelow(kept));
  for (const name of current) if (!present.has(name)) copy(join(built, name), join(kept, name));
  replace(join(kept, LAST_BUILD), (draft) => writeFileSync(draft, JSON.stringify([...current])));
  const former = new Set<string>();
  for (const name of present) {
    if (current.has(name) || name === LAST_BUILD) continue;
    const file = join(kept, name);
    if (name.endsWith('.new') || now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file);
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
    // The operator has removed the file.
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  replace(to, (draft) => copyFileSync(from, draft));
}

function replace(file: string, write: (draft: string) => void): void {
  try {
    write(`${file}.new`);
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
}
