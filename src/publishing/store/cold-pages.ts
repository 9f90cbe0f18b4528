/**
 * The pages of an earlier process that nobody has asked for yet. There may be a hundred thousand, so each is a row of
 * numbers, some fifty bytes: where its line is in the journal, the hash of its address, the hashes of its tags. The
 * line itself is read when somebody asks.
 *
 * Hashes may collide. A page is compared with its line before it is given to anybody; a tag's collision outdates a page
 * too many.
 */
import { crc32 } from 'node:zlib';
import type { PageLine } from './journal.ts';

/** What the journal has of a page, and what has happened to it since. */
export interface ColdPage {
  readonly line: PageLine;
  readonly checkedAt: number;
  readonly outdatedBy: number;
  readonly awaited: boolean;
  /** Known to be what would be rendered, but for what has outdated it since the start. */
  readonly isSure: boolean;
}

/** Gives the line at a position of the journal. */
export type ReadLine = (position: number, length: number) => PageLine | undefined;

const ALIVE = 1;
/** Readers wait for the new version. */
const AWAITED = 2;
/** A list that does not say by its tags which posts it names. */
const UNSAID = 4;
/** What it is made of has not changed since it was rendered. */
const SURE = 8;

/** A posting is a number: 28 bits of the tag's hash, then 25 bits of the row. */
const ROWS = 2 ** 25;
const TAG_BITS = 2 ** 28;

/** Says that the page in a row has a tag. */
export const posting = (tag: string, row: number): number => tagHash(tag) * ROWS + row;
export const rowOf = (posting: number): number => posting % ROWS;
export const tagHashOf = (posting: number): number => Math.floor(posting / ROWS);
export const tagHash = (tag: string): number => crc32(tag) % TAG_BITS;

/** A second opinion on an address (FNV-1a). */
function otherHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export class ColdPages {
  #rows = 0;
  #alive = 0;
  #totalBytes = 0;
  #next = 0;
  #position = new Float64Array(1024);
  #length = new Uint32Array(1024);
  #bytes = new Uint32Array(1024);
  #hash = new Uint32Array(1024);
  #otherHash = new Uint32Array(1024);
  #checkedAt = new Uint32Array(1024);
  #outdatedBy = new Uint32Array(1024);
  #flags = new Uint8Array(1024);
  /** Rows by the hash of their address: a table with open places, row + 1 in each. */
  #places = new Uint32Array(4096);
  #postings: Float64Array = new Float64Array(0);
  #read: ReadLine = () => undefined;

  get size(): number {
    return this.#alive;
  }

  /** Bytes of these pages on disk. */
  get bytes(): number {
    return this.#totalBytes;
  }

  has(path: string): boolean {
    return this.row(path) >= 0;
  }

  /** The row of an address; -1 when there is no such page. */
  row(path: string): number {
    const row = this.#known(path);
    return row >= 0 && this.#is(row, ALIVE) ? row : -1;
  }

  /** Takes a page out, to be remembered as an entry from now on. */
  take(path: string): ColdPage | undefined {
    const row = this.row(path);
    if (row < 0) return undefined;
    const page = this.#at(row);
    // Of two addresses with the same hashes only the last is known.
    if (page && page.line.p !== path) return undefined;
    this.#drop(row);
    return page;
  }

  /** Takes out any page; those stored first come first. */
  takeOldest(): ColdPage | undefined {
    while (this.#next < this.#rows) {
      const row = this.#next++;
      if (!this.#is(row, ALIVE)) continue;
      const page = this.#at(row);
      this.#drop(row);
      if (page) return page;
    }
    return undefined;
  }

  delete(path: string): void {
    const row = this.row(path);
    if (row >= 0) this.#drop(row);
  }

  /** Rows of pages with any of these tags or addresses; undefined for all. */
  *rows(tags: readonly string[] | undefined, paths: readonly string[] = []): Generator<number> {
    if (!tags) {
      for (let row = 0; row < this.#rows; row++) if (this.#is(row, ALIVE)) yield row;
      return;
    }
    for (const path of paths) {
      const row = this.row(path);
      if (row >= 0) yield row;
    }
    for (const tag of tags) {
      const start = tagHash(tag) * ROWS;
      for (let i = this.#firstPosting(start); i < this.#postings.length; i++) {
        const row = (this.#postings[i] as number) - start;
        if (row >= ROWS) break;
        if (this.#is(row, ALIVE)) yield row;
      }
    }
  }

  outdate(row: number, change: number, awaited: boolean): void {
    this.#outdatedBy[row] = change;
    if (awaited) this.#flags[row] = (this.#flags[row] as number) | AWAITED;
  }

  isSure(row: number): boolean {
    return this.#is(row, SURE);
  }

  isOutdated(row: number): boolean {
    return (this.#outdatedBy[row] as number) > 0;
  }

  /** True for a list that might name any post. */
  isUnsaid(row: number): boolean {
    return this.#is(row, UNSAID);
  }

  /** The page's line, which stays where it is. */
  lineAt(row: number): PageLine | undefined {
    return this.#read(this.#position[row] as number, this.#length[row] as number);
  }

  /** Compaction wrote the row's line anew. */
  move(positions: ReadonlyMap<number, { readonly position: number; readonly length: number }>, read: ReadLine): void {
    this.#read = read;
    for (const [row, { position, length }] of positions) {
      this.#position[row] = position;
      this.#length[row] = length;
    }
  }

  // ——— Filling, while the journal is read ———

  /** Puts a page in, in place of the one at its address. Gives its row. */
  add(line: PageLine, position: number, length: number): number {
    let row = this.#known(line.p);
    if (row < 0) {
      row = this.#rows++;
      if (row >= this.#position.length) this.#grow();
      this.#hash[row] = crc32(line.p);
      this.#otherHash[row] = otherHash(line.p);
      this.#place(row);
    } else if (this.#is(row, ALIVE)) {
      this.#drop(row);
    }
    this.#position[row] = position;
    this.#length[row] = length;
    const bytes = line.n[0] + line.n[1] + line.n[2];
    this.#bytes[row] = bytes;
    this.#checkedAt[row] = line.at;
    this.#outdatedBy[row] = 0;
    const isUnsaid = line.g.includes('posts') && !line.g.some((tag) => tag.startsWith('post:'));
    this.#flags[row] = isUnsaid ? ALIVE | UNSAID : ALIVE;
    this.#alive++;
    this.#totalBytes += bytes;
    return row;
  }

  confirm(row: number): void {
    this.#flags[row] = (this.#flags[row] as number) | SURE;
  }

  checked(row: number, at: number): void {
    this.#checkedAt[row] = at;
  }

  /** Ends the filling. `postings` are made by `posting`; those of replaced pages are left out. */
  seal(postings: Float64Array, read: ReadLine): void {
    this.#read = read;
    this.#postings = postings.sort();
  }

  #at(row: number): ColdPage | undefined {
    const line = this.lineAt(row);
    return (
      line && {
        line,
        checkedAt: this.#checkedAt[row] as number,
        outdatedBy: this.#outdatedBy[row] as number,
        awaited: this.#is(row, AWAITED),
        isSure: this.#is(row, SURE),
      }
    );
  }

  #is(row: number, flag: number): boolean {
    return ((this.#flags[row] as number) & flag) !== 0;
  }

  #drop(row: number): void {
    this.#flags[row] = 0;
    this.#alive--;
    this.#totalBytes -= this.#bytes[row] as number;
  }

  #known(path: string): number {
    if (this.#rows === 0) return -1;
    const hash = crc32(path);
    const other = otherHash(path);
    const mask = this.#places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const row = (this.#places[place] as number) - 1;
      if (row < 0) return -1;
      if (this.#hash[row] === hash && this.#otherHash[row] === other) return row;
    }
  }

  #place(row: number): void {
    const mask = this.#places.length - 1;
    let place = (this.#hash[row] as number) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = row + 1;
  }

  #firstPosting(from: number): number {
    let [low, high] = [0, this.#postings.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#postings[middle] as number) < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const capacity = this.#position.length * 2;
    const wider = <T extends { set(values: T): void }>(copy: T, column: T): T => {
      copy.set(column);
      return copy;
    };
    const wider32 = (column: Uint32Array<ArrayBuffer>) => wider(new Uint32Array(capacity), column);
    this.#position = wider(new Float64Array(capacity), this.#position);
    this.#length = wider32(this.#length);
    this.#bytes = wider32(this.#bytes);
    this.#hash = wider32(this.#hash);
    this.#otherHash = wider32(this.#otherHash);
    this.#checkedAt = wider32(this.#checkedAt);
    this.#outdatedBy = wider32(this.#outdatedBy);
    this.#flags = wider(new Uint8Array(capacity), this.#flags);
    this.#places = new Uint32Array(capacity * 4);
    for (let row = 0; row < this.#rows - 1; row++) this.#place(row);
  }
}
