/**
 * The folder of pages as any web server can serve it: `public/post/x/index.html` with `.gz` and `.br` beside it.
 * A file is written under another name and then renamed, so whoever reads gets the old bytes or the new ones.
 */
import { type Dir, mkdirSync, opendirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bodies } from './bodies.ts';
import type { Encoding } from './encoding.ts';
import type { Finishing } from './finishing.ts';
import { FORMS } from './page-files.ts';

const SUFFIX: Readonly<Record<Encoding, string>> = { identity: '', gzip: '.gz', br: '.br' };

/** A store that has shrunk may drop a hundred thousand pages at once. */
const REMOVALS_AT_ONCE = 16;

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

type Names = [string, string, string];

export class Disk {
  readonly #public: string;
  readonly #temporary: string;
  /** What is done with one page's files is done one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #writeFiles: Finishing['write'];
  #written = 0;

  constructor(directory: string, write: Finishing['write']) {
    this.#writeFiles = write;
    this.#public = join(directory, 'public');
    this.#temporary = join(directory, 'temporary');
    rmSync(this.#temporary, { recursive: true, force: true });
    mkdirSync(this.#temporary, { recursive: true });
    mkdirSync(this.#public, { recursive: true });
  }

  /** @throws NodeJS.ErrnoException when there is no room or no right to write; the old files may be gone then. */
  write(file: string, bodies: Bodies): Promise<void> {
    const finals = FORMS.map((encoding) => join(this.#public, file + SUFFIX[encoding])) as Names;
    const drafts = FORMS.map(() => join(this.#temporary, String(++this.#written))) as Names;
    return this.#inTurn(file, () => this.#writeFiles({ drafts, finals }, bodies));
  }

  /** Undefined when the file is not there or cannot be read. */
  read(file: string, encoding: Encoding): Promise<Buffer | undefined> {
    return this.#inTurn(file, () => readFile(join(this.#public, file + SUFFIX[encoding])).catch(() => undefined));
  }

  /** For the start, before anybody reads: the page as it lies there; undefined when it does not. */
  readNow(file: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#public, file));
    } catch {
      return undefined;
    }
  }

  /** For the start: puts the compressed forms beside a page. */
  completeNow(file: string, bodies: Bodies): void {
    for (const encoding of ['gzip', 'br'] as const) {
      const draft = join(this.#temporary, String(++this.#written));
      writeFileSync(draft, bodies[encoding]);
      renameSync(draft, join(this.#public, file + SUFFIX[encoding]));
    }
  }

  /** Files that are not there are gone already. */
  async remove(files: Iterable<string>): Promise<void> {
    const rest = Iterator.from(files);
    const worker = async () => {
      for (const file of rest) await this.#inTurn(file, () => this.#unlink(file));
    };
    await Promise.all(Array.from({ length: REMOVALS_AT_ONCE }, worker));
  }

  /**
   * Removes files that belong to no page: a crash left them behind. Those younger than `before` (ms since 1970) stay:
   * their page may be about to be stored.
   */
  async sweep(belongs: (file: string) => boolean, before: number): Promise<number> {
    let removed = 0;
    let seen = 0;
    for (const file of filesBelow(this.#public)) {
      if (++seen % SWEPT_AT_ONCE === 0) await sleep(SWEEP_PAUSE, undefined, { ref: false });
      if (belongs(file)) continue;
      const name = join(this.#public, file);
      const isOld = await stat(name).then(
        ({ mtimeMs }) => mtimeMs < before,
        () => false,
      );
      if (isOld)
        await unlink(name).then(
          () => removed++,
          () => undefined,
        );
    }
    return removed;
  }

  /** Ends when nothing is being written. */
  async settled(): Promise<void> {
    while (this.#turns.size > 0) await Promise.allSettled(this.#turns.values());
  }

  async #unlink(file: string): Promise<void> {
    const name = join(this.#public, file);
    await Promise.allSettled(FORMS.map((encoding) => unlink(name + SUFFIX[encoding])));
    if (dirname(name) !== this.#public) await rmdir(dirname(name)).catch(() => undefined);
  }

  #inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(file);
    const turn = before ? before.then(work, work) : work();
    const end = () => {
      if (this.#turns.get(file) === turn) this.#turns.delete(file);
    };
    this.#turns.set(file, turn);
    turn.then(end, end);
    return turn;
  }
}
