/**
 * The stored pages: index, files, journal and the bodies in memory, kept in step and within their bounds. One file,
 * although a long one: the order of the steps across all four is what a restart after a crash relies on.
 */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Bodies, checksum, compressNow } from './bodies.ts';
import { Disk, fileOf, pathOf } from './disk.ts';
import { ENCODINGS, type Encoding } from './encoding.ts';
import { Entry, HeaderSets, type Stored } from './entry.ts';
import type { Finishing } from './finishing.ts';
import { Journal, type JournalLine, type PageLine } from './journal.ts';
import { entryOf, headersLine, pageLine, siteLine } from './lines.ts';
import { Memory } from './memory.ts';
import { PageIndex } from './page-index.ts';
import { Replay } from './replay.ts';
import { type EdgePolicy, type Resident, residentOf } from './resident.ts';
import { type Unfinished, UnfinishedPages } from './unfinished.ts';

export type Log = (level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void;

export interface ArchiveOptions {
  readonly directory: string;
  readonly build: string;
  /** What pages are made of; undefined where changes may have gone unheard. */
  readonly state: string | undefined;
  /** Seconds after which any page is rendered again. */
  readonly maximumAge: number;
  readonly maximumBytes: number;
  readonly memoryBytes: number;
  readonly edge: EdgePolicy;
  readonly finishing: Finishing;
  /** Resolves when there is time for what nobody waits for. */
  readonly leisure: () => Promise<void>;
  readonly log: Log;
  readonly now: () => number;
}

export interface NewPage {
  readonly path: string;
  readonly tags: readonly string[];
  /** Its own headers: name, value, name, value. */
  readonly headers: readonly string[];
  /** Undefined when only tags or headers differ from the stored page. */
  readonly body: Buffer | undefined;
  readonly maxAge: number;
  readonly reason: string;
}

/** Pages that are dropped at a time, and milliseconds until the next: a bound that was lowered may leave a hundred thousand over it. */
const DROPPED_AT_ONCE = 50;
const DROP_PAUSE = 100;

/** Dead lines a journal may carry before it is written anew. */
const SLACK = 10_000;

export class Archive {
  readonly index: PageIndex;
  readonly #options: ArchiveOptions;
  readonly #sets = new HeaderSets();
  readonly #disk: Disk;
  readonly #journal: Journal;
  readonly #memory: Memory;
  readonly #loading = new Map<string, Promise<Resident | undefined>>();
  readonly #storing = new Set<Promise<unknown>>();
  readonly #unfinished = new UnfinishedPages();
  #compactAt = SLACK;
  /** Every line that was to be written is in the journal. */
  #isWhole = true;
  #shrinking: NodeJS.Timeout | undefined;

  /** Reads what an earlier process stored. */
  constructor(options: ArchiveOptions) {
    this.#options = options;
    const { directory, build, now, maximumAge } = options;
    this.index = new PageIndex(now, maximumAge);
    this.#disk = new Disk(directory, options.finishing.write);
    this.#memory = new Memory(options.memoryBytes, (held) => {
      const entry = this.index.getWarm(held.entry.path);
      if (entry && entry === held.entry && !entry.onDisk) this.#forget(entry);
    });
    const replay = new Replay(this.index.cold, this.#sets, build, options.state);
    this.#journal = Journal.open(join(directory, 'journal'), (...line) => replay.read(...line));
    this.index.headers = replay.headers;
    const undecided = replay.finish((position, length) => this.#readPageLine(position, length));
    this.note(siteLine(build, replay.isSure));
    for (const line of undecided) this.#decide(line);
    this.#makeRoom();
  }

  get memoryBytes(): number {
    return this.#memory.bytes;
  }

  /** Of pages that are shown and whose files are not in place. */
  get unfinishedBytes(): number {
    return this.#unfinished.bytes;
  }

  /**
   * Puts a page in place of the one before: readers have it when `shown` is told, a restart when this ends. The journal
   * announces it before, so that a restart in between knows that what lies in the folder was replaced. Gives the
   * page that is there then, which may be a later one; undefined when `accept` says no, or when it was taken away meanwhile.
   */
  async store(
    page: NewPage,
    accept: (entry: Entry) => boolean,
    shown: (entry: Entry) => void,
  ): Promise<Entry | undefined> {
    const storing = this.#store(page, accept, shown);
    this.#storing.add(storing);
    try {
      return await storing;
    } finally {
      this.#storing.delete(storing);
    }
  }

  /** Ends when every page that is being stored now is stored or thrown away. */
  async storesEnded(): Promise<void> {
    await Promise.allSettled(this.#storing);
  }

  /** Whether the page's files are in place. */
  isOnDisk(entry: Entry): boolean {
    return entry.onDisk && !this.#unfinished.of(entry);
  }

  /** Whether the stored bytes are these. */
  isBody(entry: Entry, identity: Buffer): boolean {
    return entry.onDisk && entry.lengths[0] === identity.length && entry.sum('identity') === checksum(identity);
  }

  /** Whether everything but the bytes is the same. */
  isSame(entry: Entry, page: Omit<NewPage, 'body'>): boolean {
    return (
      entry.maxAge === page.maxAge &&
      isDeepStrictEqual(entry.tagNames, page.tags) &&
      isDeepStrictEqual(entry.headers.pairs, page.headers)
    );
  }

  async #store(
    page: NewPage,
    accept: (entry: Entry) => boolean,
    shown: (entry: Entry) => void,
  ): Promise<Entry | undefined> {
    const former = this.index.get(page.path);
    const entry = this.#entryOf(page, former);
    if (!accept(entry)) return undefined;
    if (former) this.#memory.forget(former);
    const { body } = page;
    if (!body) {
      entry.onDisk = former?.onDisk ?? false;
      this.index.put(entry);
      shown(entry);
    } else {
      this.note(pageLine('next', entry));
      const stored = this.#unfinished.add(entry, body, (unfinished) => this.#finish(entry, unfinished, body));
      this.index.put(entry);
      this.#hold(entry, 'identity', body);
      shown(entry);
      if (!(await stored)) return this.#storedSince(page.path);
    }
    this.note(entry.onDisk ? pageLine('page', entry) : { t: 'gone', p: [entry.path] });
    this.#makeRoom();
    return entry;
  }

  /** Makes the compressed forms of a page that is shown, and its files. False when it was taken away meanwhile. */
  async #finish(entry: Entry, page: Unfinished, body: Buffer): Promise<boolean> {
    // Those who wait for this page go first, and then those who wait for others.
    await nextTurn();
    await this.#options.leisure();
    await page.idle();
    const bodies = await this.#options.finishing.compress(body, page.made);
    page.add({ gzip: bodies.gzip, br: bodies.br });
    const isThere = () => this.index.getWarm(entry.path) === entry;
    if (!isThere()) return false;
    this.index.complete(entry, bodies);
    for (const encoding of ['gzip', 'br'] as const) this.#hold(entry, encoding, bodies[encoding]);
    const file = fileOf(entry.path, entry.headers.html);
    const onDisk = file !== undefined && (await this.#write(file, bodies));
    // Whoever took it away has its files removed after they were written.
    if (!isThere()) return false;
    entry.onDisk = onDisk;
    if (!onDisk) for (const encoding of ENCODINGS) if (!entry[encoding]) this.#hold(entry, encoding, bodies[encoding]);
    return true;
  }

  /** What has taken a page's place, once its files are there; undefined when the page is gone. */
  async #storedSince(path: string): Promise<Entry | undefined> {
    const present = this.index.getWarm(path);
    const unfinished = present && this.#unfinished.of(present);
    return !unfinished || (await unfinished.stored) ? present : this.#storedSince(path);
  }

  /** Takes pages away: from readers at once, from the folder before it ends; `durably`: not even a power cut undoes it. */
  async drop(entries: Iterable<Entry>, durably = false): Promise<void> {
    const dropped = [...entries];
    if (dropped.length === 0) return;
    for (const entry of dropped) this.#forget(entry);
    this.note({ t: 'gone', p: dropped.map((entry) => entry.path) });
    await this.#disk.remove(dropped.flatMap((entry) => fileOf(entry.path, entry.headers.html) ?? []));
    if (!durably) return;
    await this.#journal.sync().catch((error) => this.#options.log('warn', 'The journal was not synced.', error));
  }

  /** A form of a page, read from disk where need be; undefined when its file is missing or not what was stored. */
  load(entry: Entry, encoding: Encoding): Promise<Resident | undefined> {
    const held = entry[encoding];
    if (held) return Promise.resolve(held);
    const key = `${entry.path} ${entry.etag(encoding)}`;
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#read(entry, encoding).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  /** Writes a line into the journal. A full disk costs the memory of a restart, not the answer to a reader. */
  note(line: JournalLine): void {
    try {
      this.#journal.append(line);
    } catch (error) {
      this.#isWhole = false;
      this.#options.log('error', 'The page journal could not be written: a restart may forget pages.', error);
    }
    if (this.#journal.lines > Math.max(this.#compactAt, 2 * this.index.size + SLACK)) void this.#compact();
  }

  /** Removes files that a crash left behind; slow and in no hurry. */
  async sweep(before: number): Promise<number> {
    return this.#disk.sweep((file) => this.index.has(pathOf(file)), before);
  }

  /** `state`: what pages are made of now, when the process has heard of every change. */
  async close(state?: string): Promise<void> {
    await this.storesEnded();
    clearTimeout(this.#shrinking);
    await this.#disk.settled();
    await this.#journal.compacted();
    if (state !== undefined && this.#isWhole) this.note({ t: 'end', state });
    await this.#journal.compacted();
    this.#journal.close();
  }

  async #write(file: string, bodies: Bodies): Promise<boolean> {
    try {
      await this.#disk.write(file, bodies);
      return true;
    } catch (error) {
      this.#options.log('error', `The page ${file} could not be written and is kept in memory alone.`, error);
      return false;
    }
  }

  /** To be used in the same breath: a page that leaves may take its tags and headers along. */
  #entryOf({ path, tags, headers, body, maxAge, reason }: NewPage, former: Entry | undefined): Entry {
    const now = this.#options.now();
    const { set, isNew } = this.#sets.of(headers);
    if (isNew) this.note(headersLine(set));
    const stored: Stored = {
      path,
      tags: tags.map((name) => this.index.tag(name)),
      headers: set,
      sums: body ? checksum(body) : (former?.sums ?? ''),
      lengths: body ? [body.length, 0, 0] : (former?.lengths ?? [0, 0, 0]),
      storedAt: now,
      maxAge,
      reason,
    };
    const entry = new Entry(stored, now);
    entry.hits = former?.hits ?? 0;
    return entry;
  }

  /** After a crash in the middle of a page's files: what lies there decides, and its compressed forms follow. */
  #decide(line: PageLine): void {
    const headers = this.index.headers.get(line.h);
    if (!headers) return;
    const former = this.index.get(line.p);
    // Whether anything was outdated in the moment of the crash is not known.
    const page = { line, checkedAt: line.at, outdatedBy: 1, awaited: true, isSure: false };
    const { now, maximumAge } = this.#options;
    const entry = entryOf(page, headers, (name) => this.index.tag(name), now(), maximumAge);
    const file = fileOf(entry.path, entry.headers.html);
    const body = file === undefined ? undefined : this.#disk.readNow(file);
    const sum = body && checksum(body);
    const winner = [entry, former].find((candidate) => candidate?.sum('identity') === sum);
    if (!file || !body || !winner) return;
    const bodies = compressNow(body);
    this.#disk.completeNow(file, bodies);
    this.index.delete(winner.path);
    winner.complete(bodies);
    this.index.put(winner);
    this.note(pageLine('page', winner));
  }

  #hold(entry: Entry, encoding: Encoding, body: Buffer): void {
    this.#memory.hold(residentOf(entry, encoding, body, this.#options.edge));
  }

  async #read(entry: Entry, encoding: Encoding): Promise<Resident | undefined> {
    const unfinished = this.#unfinished.of(entry);
    if (unfinished) return residentOf(entry, encoding, await unfinished.form(encoding), this.#options.edge);
    const file = fileOf(entry.path, entry.headers.html);
    const body = file && (await this.#disk.read(file, encoding));
    if (!body || checksum(body) !== entry.sum(encoding)) return undefined;
    const resident = residentOf(entry, encoding, body, this.#options.edge);
    if (this.index.getWarm(entry.path) === entry) this.#memory.hold(resident);
    return resident;
  }

  #forget(entry: Entry): void {
    this.index.delete(entry.path);
    this.#memory.forget(entry);
  }

  /** Drops pages until the folder is within its bounds, those longest without a reader first; many of them bit by bit. */
  #makeRoom(): void {
    const leaving: Entry[] = [];
    const isFull = () => this.index.bytes > this.#options.maximumBytes && leaving.length < DROPPED_AT_ONCE;
    for (let entry = isFull() && this.index.oldestCold(); entry; entry = isFull() && this.index.oldestCold()) {
      this.#forget(entry);
      leaving.push(entry);
    }
    for (const entry of this.index.warm()) {
      if (!isFull()) break;
      if (entry.touchedAt > entry.queuedAt) {
        entry.queuedAt = entry.touchedAt;
        this.index.moveToEnd(entry);
      } else {
        this.#forget(entry);
        leaving.push(entry);
      }
    }
    if (leaving.length === 0) return;
    void this.drop(leaving);
    clearTimeout(this.#shrinking);
    if (leaving.length === DROPPED_AT_ONCE) this.#shrinking = setTimeout(() => this.#makeRoom(), DROP_PAUSE).unref();
  }

  #readPageLine(position: number, length: number): PageLine | undefined {
    const line = this.#journal.read(position, length);
    return line?.t === 'page' ? line : undefined;
  }

  async #compact(): Promise<void> {
    this.#compactAt = this.#journal.lines + SLACK;
    const { index } = this;
    // Lines of cold pages name their headers by numbers, so these stay until every such page has been asked for.
    this.#sets.retain(new Set([...index.headers.values(), ...Array.from(index.warm(), (entry) => entry.headers)]));
    const places = new Map<number, { position: number; length: number }>();
    try {
      await this.#journal.compact(this.#lines(places), () => {
        index.cold.move(places, (position, length) => this.#readPageLine(position, length));
        index.headers = new Map(Array.from(this.#sets.values(), (set) => [set.id, set]));
      });
      this.#compactAt = SLACK;
    } catch (error) {
      this.#options.log('warn', 'The page journal could not be compacted; it is tried again later.', error);
    }
  }

  /** The shortest journal that says what is stored now. A page that warms up meanwhile is among the entries, which come last. */
  *#lines(places: Map<number, { position: number; length: number }>): Generator<JournalLine> {
    const { index } = this;
    yield siteLine(this.#options.build);
    for (const set of this.#sets.values()) yield headersLine(set);
    for (const row of index.cold.rows(undefined)) {
      const line = index.cold.lineAt(row);
      const headers = line && index.headers.get(line.h);
      if (!headers) continue;
      const { x: _, u: __, ...rest } = line;
      const next: PageLine = {
        ...rest,
        h: headers.id,
        ...(index.cold.isOutdated(row) && { x: 1 }),
        ...(!index.cold.isSure(row) && { u: 1 }),
      };
      places.set(row, { position: this.#journal.draftPosition, length: Buffer.byteLength(JSON.stringify(next)) });
      yield next;
    }
    for (const entry of index.warm()) {
      if (this.#unfinished.of(entry)) yield pageLine('next', entry);
      else if (entry.onDisk) yield pageLine('page', entry);
    }
  }
}
