/** Stores pages in a folder that any web server can serve. Files are renamed into place, so none is ever incomplete. */
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { opendir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bodies } from '@common-ink/http/compression.ts';
import { ENCODINGS, type Encoding } from '@common-ink/http/encoding.ts';

const SUFFIX: Readonly<Record<Encoding, string>> = { identity: '', gzip: '.gz', br: '.br' };

/** Matches paths that are safe as file names. Pages at other paths, such as `/author/Ada`, are kept only in memory. */
const FILE_SAFE = /^\/(?:[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*)?$/;

/** Returns a page's file path within the folder, or undefined if the path is unsafe as a file name. */
export function fileOf(path: string, html: boolean): string | undefined {
  if (!FILE_SAFE.test(path)) return undefined;
  if (!html) return path === '/' ? undefined : path.slice(1);
  return path === '/' ? 'index.html' : `${path.slice(1)}/index.html`;
}

export function pathOf(file: string): string {
  return `/${file.replace(/\.(gz|br)$/, '').replace(/(^|\/)index\.html$/, '')}`;
}

/** Yields all files. Keeps one folder open per level, whereas Node's recursive `opendir` keeps all folders open. */
async function* filesBelow(folder: string, inner = ''): AsyncGenerator<string> {
  // The folder may have been removed together with its last page in the meantime.
  for await (const found of (await opendir(join(folder, inner)).catch(() => undefined)) ?? []) {
    if (found.isDirectory()) yield* filesBelow(folder, `${inner}${found.name}/`);
    else if (found.isFile()) yield inner + found.name;
  }
}

/** Creates a folder. Removes a file or broken link at its path, because a damaged cache must not prevent startup. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  rmSync(path, { force: true });
  mkdirSync(path, { recursive: true });
}

export class PageFiles {
  readonly #public: string;
  readonly #temporary: string;

  constructor(directory: string) {
    this.#public = join(directory, 'public');
    this.#temporary = join(directory, 'temporary');
    rmSync(this.#temporary, { recursive: true, force: true });
    for (const folder of [directory, this.#temporary, this.#public]) makeFolder(folder);
  }

  /** Replaces a page's files. @throws NodeJS.ErrnoException if the disk fails; some files may already be replaced */
  write(file: string, bodies: Bodies): void {
    const draft = (encoding: Encoding) => join(this.#temporary, `page${SUFFIX[encoding]}`);
    try {
      for (const encoding of ENCODINGS) writeFileSync(draft(encoding), bodies[encoding]);
      mkdirSync(dirname(this.#nameOf(file, 'identity')), { recursive: true });
      for (const encoding of ENCODINGS) renameSync(draft(encoding), this.#nameOf(file, encoding));
    } catch (error) {
      for (const encoding of ENCODINGS) rmSync(draft(encoding), { force: true });
      throw error;
    }
  }

  read(file: string, encoding: Encoding): Promise<Buffer | undefined> {
    return readFile(this.#nameOf(file, encoding)).catch(() => undefined);
  }

  /** Empties the folder; the old files are deleted in the background. @throws NodeJS.ErrnoException */
  discard(): void {
    const discarded = mkdtempSync(join(this.#temporary, 'discarded-'));
    renameSync(this.#public, join(discarded, 'public'));
    mkdirSync(this.#public);
    rm(discarded, { recursive: true, force: true }).catch(() => undefined);
  }

  remove(file: string): void {
    for (const encoding of ENCODINGS) rmSync(this.#nameOf(file, encoding), { force: true });
    const folder = dirname(this.#nameOf(file, 'identity'));
    if (folder === this.#public) return;
    try {
      rmdirSync(folder);
    } catch {
      // The folder still contains other pages.
    }
  }

  /**
   * Deletes files that belong to no page. Keeps those changed since `before` (Unix ms), because their index row may not
   * have been written yet.
   */
  async sweep(belongs: (file: string) => boolean, before: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for await (const file of filesBelow(this.#public)) {
      if (signal?.aborted) break;
      if (belongs(file)) continue;
      const name = join(this.#public, file);
      const { mtimeMs = before } = (await stat(name).catch(() => undefined)) ?? {};
      if (mtimeMs >= before) continue;
      const isRemoved = await unlink(name).then(
        () => true,
        () => false,
      );
      if (isRemoved) removed++;
    }
    return removed;
  }

  #nameOf(file: string, encoding: Encoding): string {
    return join(this.#public, file + SUFFIX[encoding]);
  }
}
