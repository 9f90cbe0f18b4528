/** Learns from the journal of an earlier process which pages there are, without making an object of any. */

import { SITE } from '../tags.ts';
import { type ColdPages, posting, type ReadLine, rowOf, tagHash, tagHashOf } from './cold-pages.ts';
import type { HeaderSet, HeaderSets } from './entry.ts';
import type { JournalLine, PageLine } from './journal.ts';

export const FORM = 1;
/** Change 1 of the clock: everything that an earlier process knew to be outdated. */
const BEFORE_START = 1;
/** What a page has seen that is current when the process starts: all of that. */
export const AT_START = BEFORE_START;

/**
 * Reads the lines of a journal in their order. Lines are numbered, and a page is outdated when the last line that says
 * so of one of its tags, or of its address, comes after its own. Pages of another build of the site count as outdated:
 * they are shown while the new ones cannot be rendered, because a page with the old look beats an error.
 *
 * A page is sure, and need not be rendered once more to be believed, when what pages are made of is as the last process
 * left it, whose last line says so, and the same was true at every start since the page was rendered.
 */
export class Replay {
  readonly #cold: ColdPages;
  readonly #sets: HeaderSets;
  readonly #build: string;
  readonly #state: string | undefined;
  /** Header sets by their numbers in the journal. */
  readonly headers = new Map<number, HeaderSet>();
  /** Pages whose files were being written. */
  readonly #announced = new Map<string, PageLine>();
  /** The number of the last line that outdated a tag (by its hash), an address, or everything. */
  readonly #oldTags = new Map<number, number>();
  readonly #oldPaths = new Map<string, number>();
  #oldSite = 0;
  #number = 0;
  /** The line of the last start that could not tell whether anything had changed. */
  #unsureAt = 0;
  /** What the last line says of the state in which its process left everything. */
  #left: string | undefined;
  /** By row: the number of the page's line, and of the last line that found it right; 0 for another build's. */
  #bornAt = new Uint32Array(1024);
  #rightAt = new Uint32Array(1024);
  /** By row: the number of the last line of a process that knew the page to be current. */
  #sureAt = new Uint32Array(1024);
  #postings = new Float64Array(4096);
  /** The line that each posting comes from. */
  #postedAt = new Uint32Array(4096);
  #posted = 0;
  #otherBuild = true;
  #readable = false;

  /** @param state of all that pages are made of; undefined where changes may have gone unheard */
  constructor(cold: ColdPages, sets: HeaderSets, build: string, state?: string) {
    this.#cold = cold;
    this.#sets = sets;
    this.#build = build;
    this.#state = state;
  }

  /** True when nothing that pages are made of has changed since the last process ended. */
  get isSure(): boolean {
    return this.#state !== undefined && this.#state === this.#left;
  }

  read(line: JournalLine, position: number, length: number): void {
    this.#number++;
    this.#left = line.t === 'end' ? line.state : undefined;
    if (line.t === 'site') {
      if (!line.sure) this.#unsureAt = this.#number;
      this.#readable = line.form === FORM;
      this.#otherBuild = line.build !== this.#build;
    } else if (line.t !== 'end' && this.#readable) {
      this.#apply(line, position, length);
    }
  }

  /** Ends the reading. Gives the pages that a crash caught between the first of their files and their last line. */
  finish(read: ReadLine): PageLine[] {
    let kept = 0;
    for (let i = 0; i < this.#posted; i++) {
      const key = this.#postings[i] as number;
      const row = rowOf(key);
      if (this.#postedAt[i] !== this.#bornAt[row]) continue;
      this.#postings[kept++] = key;
      const oldAt = Math.max(this.#oldTags.get(tagHashOf(key)) ?? 0, this.#oldSite);
      if (oldAt > (this.#rightAt[row] as number)) this.#cold.outdate(row, BEFORE_START, true);
    }
    for (const [path, oldAt] of this.#oldPaths) {
      const row = this.#cold.row(path);
      if (row >= 0 && oldAt > (this.#rightAt[row] as number)) this.#cold.outdate(row, BEFORE_START, true);
    }
    this.#cold.seal(this.#postings.slice(0, kept), read);
    for (const row of this.#cold.rows(undefined)) {
      const rightAt = this.#rightAt[row] as number;
      if (rightAt === 0 || rightAt < this.#oldSite) this.#cold.outdate(row, BEFORE_START, true);
      if (this.isSure && (this.#sureAt[row] as number) > this.#unsureAt) this.#cold.confirm(row);
    }
    return [...this.#announced.values()];
  }

  #apply(line: Exclude<JournalLine, { t: 'site' | 'end' }>, position: number, length: number): void {
    switch (line.t) {
      case 'headers':
        this.headers.set(line.id, this.#sets.of(line.pairs, line.id).set);
        break;
      case 'next':
        this.#announced.set(line.p, line);
        break;
      case 'page':
        this.#announced.delete(line.p);
        if (this.headers.has(line.h)) this.#page(line, position, length);
        break;
      case 'gone':
        for (const path of line.p) {
          this.#announced.delete(path);
          this.#cold.delete(path);
        }
        break;
      case 'old':
        for (const tag of line.g) {
          if (tag === SITE) this.#oldSite = this.#number;
          else this.#oldTags.set(tagHash(tag), this.#number);
        }
        for (const path of line.p) this.#oldPaths.set(path, this.#number);
        break;
      case 'same': {
        const row = this.#cold.row(line.p);
        if (row < 0) break;
        this.#cold.checked(row, line.at);
        this.#sureAt[row] = this.#number;
        if (!this.#otherBuild) this.#rightAt[row] = this.#number;
        break;
      }
    }
  }

  #page(line: PageLine, position: number, length: number): void {
    const row = this.#cold.add(line, position, length);
    if (row >= this.#bornAt.length) {
      this.#bornAt = wider(this.#bornAt);
      this.#rightAt = wider(this.#rightAt);
      this.#sureAt = wider(this.#sureAt);
    }
    this.#bornAt[row] = this.#number;
    this.#sureAt[row] = line.u ? 0 : this.#number;
    this.#rightAt[row] = line.x || this.#otherBuild ? 0 : this.#number;
    for (const tag of line.g) {
      if (this.#posted >= this.#postedAt.length) {
        this.#postedAt = wider(this.#postedAt);
        const postings = new Float64Array(this.#postedAt.length);
        postings.set(this.#postings);
        this.#postings = postings;
      }
      this.#postings[this.#posted] = posting(tag, row);
      this.#postedAt[this.#posted++] = this.#number;
    }
  }
}

function wider(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(column.length * 2);
  copy.set(column);
  return copy;
}
