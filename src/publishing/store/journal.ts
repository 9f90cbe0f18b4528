/**
 * What the folder cannot tell: an append-only file, one JSON line for each change, read at start.
 * A page is announced before its files are touched, and its line is written after them. So the journal knows which
 * pages were complete, and which ones to look at after a crash.
 */
import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

export interface PageLine {
  readonly t: 'next' | 'page';
  readonly p: string;
  /** Tags. */
  readonly g: readonly string[];
  /** Number of the header set. */
  readonly h: number;
  /** Checksums and lengths of identity, gzip, br. */
  readonly s: string;
  readonly n: readonly [number, number, number];
  /** Stored at (s since 1970). */
  readonly at: number;
  /** Seconds it may be kept. */
  readonly m: number;
  readonly r: string;
  /** Outdated at the time of writing. */
  readonly x?: 1;
  /** Of an earlier process, and not known to be what would be rendered. */
  readonly u?: 1;
}

export type JournalLine =
  /**
   * First line of a process: the form of the journal and the build of the site that rendered what follows. `sure`: what
   * the pages are made of was as the process before had left it.
   */
  | { readonly t: 'site'; readonly form: number; readonly build: string; readonly sure?: 1 }
  /** Last line of a process that had heard of every change: what the pages are made of, as it was then. */
  | { readonly t: 'end'; readonly state: string }
  /** A set of headers that pages refer to. */
  | { readonly t: 'headers'; readonly id: number; readonly pairs: readonly string[] }
  | PageLine
  /** Pages that are no more. */
  | { readonly t: 'gone'; readonly p: readonly string[] }
  /** Pages that are outdated. */
  | { readonly t: 'old'; readonly g: readonly string[]; readonly p: readonly string[] }
  /** A page that was outdated, or not known to be current, was rendered again and came out the same. */
  | { readonly t: 'same'; readonly p: string; readonly at: number };

/** Told each line, and where it is: its first byte and its length. */
export type ReplayLine = (line: JournalLine, position: number, length: number) => void;

const CHUNK = 1 << 20;
const NEWLINE = 10;
const dataSync = promisify(fdatasync);

export class Journal {
  readonly #file: string;
  #descriptor: number;
  #lines = 0;
  /** Lines appended while a compacted journal is being written; they belong behind it. */
  #tail: string[] | undefined;
  #compaction: Promise<void> = Promise.resolve();
  #draftPosition = 0;
  /** The last write failed and may have left half a line. */
  #torn = false;

  private constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, 'a+', 0o600);
  }

  /**
   * Reads what is there, telling `replay` each line, and opens it for more. A line that a crash cut short is cut off;
   * one that cannot be read is passed over.
   */
  static open(file: string, replay: ReplayLine): Journal {
    const journal = new Journal(file);
    journal.#replay(replay);
    return journal;
  }

  /** Lines in the file, whether they still say something or not. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * In the file when it returns, safe from a killed process; `sync` makes it safe from a power cut.
   * @throws NodeJS.ErrnoException when the disk is full.
   */
  append(line: JournalLine): void {
    const text = `${this.#torn ? '\n' : ''}${JSON.stringify(line)}\n`;
    this.#tail?.push(text);
    this.#torn = true;
    writeSync(this.#descriptor, text);
    this.#torn = false;
    this.#lines++;
  }

  /** The line at a place that `replay` or `draftPosition` named. */
  read(position: number, length: number): JournalLine | undefined {
    const buffer = Buffer.allocUnsafe(length);
    if (readSync(this.#descriptor, buffer, 0, length, position) < length) return undefined;
    return parsed(buffer.toString());
  }

  /** While `compact` takes lines: where the next one will be. */
  get draftPosition(): number {
    return this.#draftPosition;
  }

  async sync(): Promise<void> {
    await dataSync(this.#descriptor);
  }

  /**
   * Replaces the file by `lines`, which say what is true now, and whatever is appended meanwhile. `done` is called when
   * the new places hold.
   */
  compact(lines: Iterable<JournalLine>, done: () => void = () => undefined): Promise<void> {
    if (!this.#tail) this.#compaction = this.#rewrite(lines, done);
    return this.#compaction;
  }

  /** Ends when no compaction is under way. */
  async compacted(): Promise<void> {
    await this.#compaction.catch(() => undefined);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  async #rewrite(lines: Iterable<JournalLine>, done: () => void): Promise<void> {
    const draft = `${this.#file}.new`;
    this.#tail = [];
    this.#draftPosition = 0;
    let descriptor: number | undefined;
    try {
      descriptor = openSync(draft, 'w+', 0o600);
      let text = '';
      let count = 0;
      for (const line of lines) {
        const next = `${JSON.stringify(line)}\n`;
        text += next;
        this.#draftPosition += Buffer.byteLength(next);
        if (++count % 500 === 0) {
          writeSync(descriptor, text);
          text = '';
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      // Nothing may come between the tail's last line and the rename.
      writeSync(descriptor, text + this.#tail.join(''));
      renameSync(draft, this.#file);
      closeSync(this.#descriptor);
      this.#descriptor = descriptor;
      this.#lines = count + this.#tail.length;
      done();
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      rmSync(draft, { force: true });
      throw error;
    } finally {
      this.#tail = undefined;
    }
  }

  #replay(replay: ReplayLine): void {
    const buffer = Buffer.allocUnsafe(CHUNK);
    let rest = Buffer.alloc(0);
    let position = 0;
    for (;;) {
      const read = readSync(this.#descriptor, buffer, 0, CHUNK, position);
      if (read === 0) break;
      const origin = position - rest.length;
      position += read;
      const text = rest.length > 0 ? Buffer.concat([rest, buffer.subarray(0, read)]) : buffer.subarray(0, read);
      let start = 0;
      for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, start)) {
        const line = parsed(text.toString('utf8', start, end));
        this.#lines++;
        if (line) replay(line, origin + start, end - start);
        start = end + 1;
      }
      rest = Buffer.from(text.subarray(start));
    }
    if (rest.length > 0) ftruncateSync(this.#descriptor, fstatSync(this.#descriptor).size - rest.length);
  }
}

function parsed(text: string): JournalLine | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
