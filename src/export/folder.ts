/**
 * The folder of an export. It remembers which files it wrote: only those are replaced or removed, whatever else lies
 * there. Every file is written aside and renamed into place, so that no moment and no crash shows half of one.
 */
import { appendFile, mkdir, open, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** The export's own notes; web servers leave out names that begin with a dot. */
export const NOTES = '.common-ink';
const FILES = 'files';
const JOURNAL = 'files.journal';

/** A site's pages, for everybody; posts as Markdown, drafts too, with addresses of people. */
const KINDS = ['site', 'markdown'] as const;
export type Kind = (typeof KINDS)[number];

/** `foreign`: somebody else's file or folder stands there, or a file where its folder belongs. */
export type Put = 'written' | 'same' | 'foreign';

export class ExportFolder {
  readonly directory: string;
  /** Files of this export, relative paths. */
  readonly #own: Set<string>;
  /** The last run did not come to its end: what it had learned of the files is not to be trusted. */
  wasInterrupted: boolean;
  /** Changed in this run. */
  readonly written: string[] = [];
  readonly removed: string[] = [];
  /** Files of somebody else's that stand where the export wants to write. */
  readonly foreign: string[] = [];
  #drafts = 0;
  /** Other files are the export's than were written down. */
  #isOther: boolean;
  /** Files were changed in a run that has not come to its end. */
  #isChanging = false;

  private constructor(directory: string, own: Set<string>, wasInterrupted: boolean) {
    this.directory = directory;
    this.#own = own;
    this.wasInterrupted = wasInterrupted;
    this.#isOther = wasInterrupted;
  }

  static async open(directory: string): Promise<ExportFolder> {
    const root = resolve(directory);
    await mkdir(join(root, NOTES), { recursive: true });
    const wasInterrupted = (await text(join(root, NOTES, JOURNAL))) !== undefined;
    return new ExportFolder(root, new Set(await ownFiles(root)), wasInterrupted);
  }

  /** The files of this export. */
  files(): Iterable<string> {
    return this.#own.values();
  }

  owns(file: string): boolean {
    return this.#own.has(file);
  }

  /** A file's text; undefined where there is none. */
  read(file: string): Promise<string | undefined> {
    return text(this.#pathOf(file));
  }

  /** Writes a file when its bytes differ. */
  async put(file: string, bytes: Uint8Array): Promise<Put> {
    const path = this.#pathOf(file);
    const present = await readFile(path).catch(absentOrFolder);
    if (typeof present === 'object' && Buffer.compare(present, bytes) === 0) {
      this.#add(file);
      return 'same';
    }
    if (present === 'folder' || (present && !this.#own.has(file)) || !(await isFolder(dirname(path)))) {
      this.foreign.push(file);
      return 'foreign';
    }
    // Known as ours before it exists: a run that is ended here leaves nothing that the next one would not touch.
    await this.#changing([file]);
    this.#add(file);
    await this.#replace(path, bytes);
    this.written.push(file);
    return 'written';
  }

  /** Removes files of this export that are not among `kept`, and folders that are empty then. */
  async keepOnly(kept: ReadonlySet<string>): Promise<void> {
    await this.remove(Array.from(this.#own).filter((file) => !kept.has(file)));
  }

  /** Removes those of `files` that are the export's. */
  async remove(files: readonly string[]): Promise<void> {
    const own = files.filter((file) => this.#own.has(file));
    if (own.length === 0) return;
    // A run that is ended here has not learned that they are gone.
    await this.#changing(own);
    for (const file of own) {
      const path = this.#pathOf(file);
      await rm(path, { force: true });
      this.#own.delete(file);
      this.#isOther = true;
      this.removed.push(file);
      await this.#removeEmpty(dirname(path));
    }
  }

  /** Writes down which files are the export's. Ends every run. */
  async settle(): Promise<void> {
    if (this.#isOther) {
      const list = [...this.#own]
        .sort()
        .map((file) => `${file}\n`)
        .join('');
      await this.putNote(FILES, list);
    }
    await this.dropNote(JOURNAL);
    this.#isOther = false;
    this.#isChanging = false;
    this.wasInterrupted = false;
  }

  note(name: string): Promise<string | undefined> {
    return text(join(this.directory, NOTES, name));
  }

  async putNote(name: string, content: string): Promise<void> {
    if ((await this.note(name)) !== content)
      await this.#replace(join(this.directory, NOTES, name), Buffer.from(content));
  }

  appendNote(name: string, text: string): Promise<void> {
    return appendFile(join(this.directory, NOTES, name), text);
  }

  dropNote(name: string): Promise<void> {
    return rm(join(this.directory, NOTES, name), { force: true });
  }

  /** Forgets the counts of the last run. */
  begin(): void {
    this.wasInterrupted ||= this.#isChanging;
    for (const list of [this.written, this.removed, this.foreign]) list.length = 0;
  }

  async #changing(files: readonly string[]): Promise<void> {
    this.#isChanging = true;
    await this.appendNote(JOURNAL, files.map((file) => `${file}\n`).join(''));
  }

  #add(file: string): void {
    if (this.#own.has(file)) return;
    this.#own.add(file);
    this.#isOther = true;
  }

  #pathOf(file: string): string {
    const path = resolve(this.directory, file);
    if (!path.startsWith(this.directory + sep)) throw new Error(`${file} would lie outside of ${this.directory}.`);
    return path;
  }

  async #replace(path: string, bytes: Uint8Array): Promise<void> {
    const draft = join(this.directory, NOTES, `draft-${process.pid}-${this.#drafts++}`);
    try {
      await writeFile(draft, bytes);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #removeEmpty(directory: string): Promise<void> {
    for (let at = directory; at.startsWith(this.directory + sep); at = dirname(at)) {
      try {
        await rmdir(at);
      } catch {
        return;
      }
    }
  }
}

/**
 * One run at a time in a folder, each for the kind of export that is there already. A folder of Markdown that is missing is
 * made for its owner alone.
 * @returns the way to end the claim
 * @throws Error naming the other run, or the other kind: its files would be deleted, and drafts shown where pages were.
 */
export async function claim(directory: string, kind: Kind): Promise<() => Promise<void>> {
  const root = resolve(directory);
  await mkdir(root, { recursive: true, mode: kind === 'markdown' ? 0o700 : 0o777 });
  await mkdir(join(root, NOTES), { recursive: true });
  const release = await lock(directory);
  try {
    const note = join(root, NOTES, 'kind');
    const written = (await text(note))?.trim();
    // A machine that lost its power may have left the note empty.
    const noted = KINDS.find((each) => each === written);
    const present = noted ?? (await kindOfFiles(root)) ?? kind;
    if (present !== kind) {
      const holds = present === 'site' ? 'the pages of a site' : 'posts as Markdown, drafts too';
      throw new Error(`${directory} holds ${holds}, which this export would delete. Name another folder.`);
    }
    if (!noted) await writeFile(note, `${kind}\n`);
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Of a folder of a release that did not write it down; undefined where nothing was exported to it. */
async function kindOfFiles(root: string): Promise<Kind | undefined> {
  const own = await ownFiles(root);
  if (own.length === 0) return undefined;
  return own.some((file) => /^posts\/[^/]+\.md$/.test(file)) || own.includes('people.yaml') ? 'markdown' : 'site';
}

async function lock(directory: string): Promise<() => Promise<void>> {
  const path = join(resolve(directory), NOTES, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(`${process.pid}\n`);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(await text(path));
      if (owner && lives(owner)) throw new Error(`Another export (process ${owner}) is writing to ${directory}.`);
      await rm(path, { force: true });
    }
  }
  throw new Error(`Another export is writing to ${directory}.`);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The files of the last whole run, and those of one that was interrupted. */
async function ownFiles(root: string): Promise<string[]> {
  const lists = [await text(join(root, NOTES, FILES)), await text(join(root, NOTES, JOURNAL))];
  return lists.flatMap((list) => (list ?? '').split('\n').filter(Boolean));
}

const text = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(absent);

function absentOrFolder(error: unknown): 'folder' | undefined {
  return (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'folder' : absent(error);
}

/** Makes the folder where it is missing. False where a file stands in its way. */
async function isFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true });
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function absent(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw error;
}
