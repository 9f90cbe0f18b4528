/**
 * Scripts, styles and fonts of earlier builds. Stored pages, open tabs and CDNs name them for a while after a new build
 * took their place, so each build's files are kept in the data folder until 30 days after its last day of service.
 */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join, relative, sep } from 'node:path';
import type { Log } from '#publishing/page-store.ts';
import { ASSET_TYPES } from './built-assets.ts';

export interface FormerAssetsOptions {
  /** The files of the build that runs. */
  readonly built: string;
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
 * Keeps this build's files and drops those whose time is over. The function it gives is true when it has answered: GET
 * and HEAD of files that only earlier builds have. Where nothing can be kept, a warning says so and nothing is served.
 */
export function openFormerAssets(options: FormerAssetsOptions) {
  let former = new Set<string>();
  try {
    former = keep(options);
  } catch (error) {
    options.log('warn', `The scripts of this build are not kept for pages that outlive it (${options.kept}).`, error);
  }
  return function formerAssets(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? '';
    if (!url.startsWith(PREFIX) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const name = url.slice(PREFIX.length).split('?', 1)[0] ?? '';
    if (!former.has(name)) return false;
    void send(join(options.kept, name), response);
    return true;
  };
}

/** The names of the files that only earlier builds have. */
function keep({ built, kept, now = Date.now }: FormerAssetsOptions): Set<string> {
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

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
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
  write(`${file}.new`);
  renameSync(`${file}.new`, file);
}

async function send(file: string, response: ServerResponse): Promise<void> {
  const body = await readFile(file).catch(() => undefined);
  if (!body) return void response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
  response.writeHead(200, {
    'Content-Type': ASSET_TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': body.length,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
  // Node leaves the body of a HEAD away.
  response.end(body);
}
