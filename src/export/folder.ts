/** Replaces and removes only the export's own files. Files are renamed into place, so that none is ever incomplete. */
import { appendFile, mkdir, open, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** Folder for the export's own records. `nginx.conf` and many hosts do not serve names that begin with a dot. */
export const NOTES = '.common-ink';
const FILES = 'files';
const JOURNAL = 'files.journal';

/** Each kind of export has its own folder: pages are public, but Markdown files include drafts and email addresses. */
const KINDS = ['site', 'markdown'] as const;
export type Kind = (typeof KINDS)[number];

/** `foreign`: a file or folder that the export did not write is in the way. */
export type Put = 'written' | 'same' | 'foreign';

export class ExportFolder {
  readonly directory: string;
  readonly #own: Set<string>;
  wasInterrupted: boolean;
  readonly written: string[] = [];
  readonly removed: string[] = [];
  readonly foreign: string[] = [];
  #drafts = 0;
  #isOther: boolean;
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

  files(): Iterable<string> {
    return this.#own.values();
  }

  owns(file: string): boolean {
    return this.#own.has(file);
  }

  read(file: string): Promise<string | undefined> {
    return text(this.#pathOf(file));
  }

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
    // Records the file before writing it, so that after an interruption the next run may replace the file.
    await this.#changing([file]);
    this.#add(file);
    await this.#replace(path, bytes);
    this.written.push(file);
    return 'written';
  }

  async keepOnly(kept: ReadonlySet<string>): Promise<void> {
    await this.remove(Array.from(this.#own).filter((file) => !kept.has(file)));
  }

  async remove(files: readonly string[]): Promise<void> {
    const own = files.filter((file) => this.#own.has(file));
    if (own.length === 0) return;
    // Records the removal before it begins, so that after an interruption the next run does not rely on these files.
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
    if (!path.startsWith(this.directory + sep)) throw new Error(`${file} would be outside of ${this.directory}.`);
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
 * Locks the folder for one run and returns its unlock function. A new Markdown folder is readable only by its owner.
 * @throws Error naming the other running export, or the kind of export that the folder already contains
 */
export async function claim(directory: string, kind: Kind): Promise<() => Promise<void>> {
  const root = resolve(directory);
  await mkdir(root, { recursive: true, mode: kind === 'markdown' ? 0o700 : 0o777 });
  await mkdir(join(root, NOTES), { recursive: true });
  const release = await lock(directory);
  try {
    const note = join(root, NOTES, 'kind');
    const written = (await text(note))?.trim();
    // A power loss may have left the file `kind` empty.
    const noted = KINDS.find((each) => each === written);
    const present = noted ?? (await kindOfFiles(root)) ?? kind;
    if (present !== kind) {
      const holds = present === 'site' ? 'the pages of a site' : 'posts as Markdown, including drafts';
      throw new Error(`${directory} contains ${holds}, which this export would delete. Name another folder.`);
    }
    if (!noted) await writeFile(note, `${kind}\n`);
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

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

async function ownFiles(root: string): Promise<string[]> {
  const lists = [await text(join(root, NOTES, FILES)), await text(join(root, NOTES, JOURNAL))];
  return lists.flatMap((list) => (list ?? '').split('\n').filter(Boolean));
}

const text = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(absent);

function absentOrFolder(error: unknown): 'folder' | undefined {
  return (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'folder' : absent(error);
}

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
