/**
 * The folder of pages as any web server can serve it: `public/post/x/index.html` with `.gz` and `.br` beside it.
 * Files are written elsewhere and then renamed, so whoever reads gets the old bytes or the new ones.
 */
import {
  type Dir,
  existsSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bodies } from '@common-ink/http/compression.ts';
import { ENCODINGS, type Encoding } from '@common-ink/http/encoding.ts';

const SUFFIX: Readonly<Record<Encoding, string>> = { identity: '', gzip: '.gz', br: '.br' };

/** Addresses that may become file names; `canonical.ts` gives no others. */
const FILE_SAFE = /^\/(?:[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*)?$/;

/** The file of a page below the folder, or undefined for an address that must not become one. */
export function fileOf(path: string, html: boolean): string | undefined {
  if (!FILE_SAFE.test(path)) return undefined;
  if (!html) return path === '/' ? undefined : path.slice(1);
  return path === '/' ? 'index.html' : `${path.slice(1)}/index.html`;
}

/** The address whose page lies in a file, whichever of its forms. */
export function pathOf(file: string): string {
  return `/${file.replace(/\.(gz|br)$/, '').replace(/(^|\/)index\.html$/, '')}`;
}

/** Files that are looked at before readers have their turn, and how long that is in milliseconds: four minutes for a hundred thousand pages. */
const SWEPT_AT_ONCE = 64;
const SWEEP_PAUSE = 50;

/**
 * The files below `folder/inner`, as their names from `folder` on; `inner` is empty or ends with a slash. One folder a
 * level is open at a time, where Node's own recursion keeps all of them open.
 */
function* filesBelow(folder: string, inner = ''): Generator<string> {
  let open: Dir;
  try {
    open = opendirSync(`${folder}/${inner}`);
  } catch {
    // Its last page has gone since it was seen.
    return;
  }
  try {
    for (let found = open.readSync(); found; found = open.readSync()) {
      if (found.isDirectory()) yield* filesBelow(folder, `${inner}${found.name}/`);
      else if (found.isFile()) yield inner + found.name;
    }
  } finally {
    open.closeSync();
  }
}

/** Makes a folder, also in place of a file or a dead link: a cache must not stop the start. */
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

  /**
   * Writes a page's three forms without letting go of the thread: some tenths of a millisecond into the system's memory.
   * @throws NodeJS.ErrnoException when there is no room or no right to write; some of the old files may be replaced then.
   */
  write(file: string, bodies: Bodies): void {
    const target = dirname(this.#nameOf(file, 'identity'));
    // A new page comes as a whole folder. One that takes another's place does without: ext4 takes half the time for it.
    const isNew = !existsSync(target);
    const folder = isNew ? join(this.#temporary, 'page') : this.#temporary;
    const drafts = ENCODINGS.map((encoding) => ({ encoding, name: join(folder, basename(file) + SUFFIX[encoding]) }));
    try {
      if (isNew) mkdirSync(folder);
      for (const { encoding, name } of drafts) writeFileSync(name, bodies[encoding]);
      if (isNew) {
        mkdirSync(dirname(target), { recursive: true });
        renameSync(folder, target);
      } else for (const { encoding, name } of drafts) renameSync(name, this.#nameOf(file, encoding));
    } catch (error) {
      for (const name of isNew ? [folder] : drafts.map((draft) => draft.name))
        rmSync(name, { recursive: true, force: true });
      throw error;
    }
  }

  /** Undefined when the file is not there or cannot be read. */
  read(file: string, encoding: Encoding): Promise<Buffer | undefined> {
    return readFile(this.#nameOf(file, encoding)).catch(() => undefined);
  }

  /** The page as it lies there, read at once; undefined when it does not. */
  readNow(file: string): Buffer | undefined {
    try {
      return readFileSync(this.#nameOf(file, 'identity'));
    } catch {
      return undefined;
    }
  }

  /** Empties the folder at once and deletes its files in the background. @throws NodeJS.ErrnoException without the right to. */
  discard(): void {
    const discarded = mkdtempSync(join(this.#temporary, 'discarded-'));
    renameSync(this.#public, join(discarded, 'public'));
    mkdirSync(this.#public);
    // The next start deletes what is left.
    rm(discarded, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Files that are not there are gone already. */
  remove(file: string): void {
    for (const encoding of ENCODINGS) rmSync(this.#nameOf(file, encoding), { force: true });
    const folder = dirname(this.#nameOf(file, 'identity'));
    if (folder === this.#public) return;
    try {
      rmdirSync(folder);
    } catch {
      // Others lie there.
    }
  }

  /**
   * Removes files that belong to no page: a crash left them behind. Those younger than `before` (ms since 1970) stay:
   * their page may be about to be stored. Gives how many, of those that were seen before `signal` ended it.
   */
  async sweep(belongs: (file: string) => boolean, before: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    let seen = 0;
    for (const file of filesBelow(this.#public)) {
      if (++seen % SWEPT_AT_ONCE === 0) await sleep(SWEEP_PAUSE, undefined, { ref: false });
      if (signal?.aborted) break;
      if (belongs(file)) continue;
      const name = join(this.#public, file);
      const isOld = await stat(name).then(
        ({ mtimeMs }) => mtimeMs < before,
        () => false,
      );
      if (!isOld) continue;
      await unlink(name).then(
        () => removed++,
        () => undefined,
      );
    }
    return removed;
  }

  #nameOf(file: string, encoding: Encoding): string {
    return join(this.#public, file + SUFFIX[encoding]);
  }
}
