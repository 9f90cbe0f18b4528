/** Indexes stored pages. A damaged file or one with another schema is replaced, because pages can be rendered again. */
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { checksum } from '@common-ink/http/compression.ts';
import type { Log } from '@common-ink/http/log.ts';
import { POST_TAG, POSTS, SITE } from '#blog/routes/tags.ts';
import { type HeaderSet, headerSetOf, StoredPage } from './stored-page.ts';

/** Selects pages by tag or by path. The tag `site` selects all pages. */
export interface Selection {
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export interface PageIndexOptions {
  readonly file: string;
  readonly build: string;
  readonly state?: string | undefined;
  readonly maximumAge: number;
  readonly now: () => number;
}

const IN_MEMORY = ':memory:';

const SCHEMA_VERSION = 4;
const SCHEMA = `
  CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL) STRICT;
  CREATE TABLE header_sets (name TEXT PRIMARY KEY, pairs TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    header_set TEXT NOT NULL REFERENCES header_sets,
    content TEXT NOT NULL,
    -- Checksum of path, content, headers and tags. A row that does not match it is damaged.
    content_sum TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    is_outdated INTEGER NOT NULL,
    -- The server run in which a render last confirmed the page.
    verified_in INTEGER NOT NULL,
    -- 1 for a list whose tags do not name its posts.
    names_any_post INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX pages_touched ON pages (touched_at, id);
  CREATE TABLE page_tags (
    tag TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    PRIMARY KEY (tag, page)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_tags_page ON page_tags (page);
`;

/** A checkpoint blocks on fsync, so it is run between requests. SQLite starts one only when the WAL reaches 64 MB. */
const PRAGMAS = `
  PRAGMA busy_timeout = 2000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA wal_autocheckpoint = 16000;
  PRAGMA journal_size_limit = 33554432;
`;

interface Settings {
  /** Counter, incremented at each process start and at each change that outdates all pages. */
  readonly run: number;
  readonly build: string;
  /** Pages last confirmed before the run with this number were outdated by a new build or a change to all pages. */
  readonly outdatedBefore: number;
  /** Pages last confirmed before the run with this number are unverified, because they may have missed a change. */
  readonly verifiedFrom: number;
  /** Written only by `close`, so its presence marks a clean shutdown. */
  readonly state?: string | undefined;
}

interface Row {
  readonly content: string;
  readonly content_sum: string;
  readonly checked_at: number;
  readonly touched_at: number;
  readonly is_outdated: number;
  readonly verified_in: number;
  readonly pairs: string;
  readonly tags: string;
}

const PAGE = `
  SELECT *, (SELECT json_group_array(tag) FROM page_tags WHERE page = pages.id) AS tags
  FROM pages JOIN header_sets ON name = header_set WHERE path = :path
`;

const SELECTED = `
  path IN (SELECT value FROM json_each(:paths))
  OR id IN (SELECT page FROM page_tags WHERE tag IN (SELECT value FROM json_each(:tags)))
`;

const whereOf = ({ tags = [] }: Selection): string => (tags.includes(SITE) ? 'true' : SELECTED);

const parameters = ({ tags = [], paths = [] }: Selection) => ({
  tags: JSON.stringify(tags),
  paths: JSON.stringify(paths),
});

export class PageIndex {
  readonly #options: PageIndexOptions;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #headerSets = new Map<string, HeaderSet>();
  #settings: Settings = { run: 0, build: '', outdatedBefore: 0, verifiedFrom: 0 };
  #count = 0;
  #bytes = 0;

  constructor(options: PageIndexOptions) {
    this.#options = options;
    this.#database = new DatabaseSync(options.file, { allowUnknownNamedParameters: true });
    try {
      this.#createTables();
      this.#begin();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  #createTables(): void {
    this.#database.exec(PRAGMAS);
    const { user_version: version } = this.#sql('PRAGMA user_version').get() as { user_version: number };
    if (version === 0) this.#database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
    else if (version !== SCHEMA_VERSION) throw new Error(`Its schema has the version ${version}.`);
    // This thread serves readers, so it must not wait for a lock.
    this.#database.exec('PRAGMA busy_timeout = 0');
  }

  #begin(): void {
    const { build, state } = this.#options;
    const row = this.#sql('SELECT json FROM settings').get() as { json: string } | undefined;
    const left: Partial<Settings> = row ? JSON.parse(row.json) : {};
    // Without stored settings, `run` continues after the highest number in `pages`, so no old page counts as confirmed.
    const sql =
      'SELECT ifnull(max(verified_in), 0) AS last, count(*) AS count, ifnull(sum(bytes), 0) AS bytes FROM pages';
    const { last, count, bytes } = this.#sql(sql).get() as { last: number; count: number; bytes: number };
    [this.#count, this.#bytes] = [count, bytes];
    const run = Math.max(left.run ?? 0, last) + 1;
    const isVerified = state !== undefined && left.state === state;
    this.#write({
      run,
      build,
      outdatedBefore: left.build === build ? (left.outdatedBefore ?? 0) : run,
      verifiedFrom: isVerified ? (left.verifiedFrom ?? 0) : run,
    });
    this.#sql('DELETE FROM header_sets WHERE name NOT IN (SELECT header_set FROM pages)').run();
  }

  get size(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(path: string): boolean {
    return this.#sql('SELECT 1 FROM pages WHERE path = :path').get({ path }) !== undefined;
  }

  /** Returns the page without its bodies; undefined if its row is missing or damaged. */
  get(path: string): StoredPage | undefined {
    const row = this.#sql(PAGE).get({ path }) as Row | undefined;
    if (!row || row.content_sum !== sumOf(path, row.content, row.pairs, JSON.parse(row.tags))) return undefined;
    const page = new StoredPage(JSON.parse(row.content), this.#headerSet(row.pairs), row.touched_at);
    page.checkedAt = row.checked_at;
    page.isOutdated = row.is_outdated === 1 || row.verified_in < this.#settings.outdatedBefore;
    page.isVerified = row.verified_in >= this.#settings.verifiedFrom;
    page.hasWaiters = page.isOutdated;
    page.updateFreshness(this.#options.maximumAge);
    return page;
  }

  /** Returns the shared object for `pairs` (alternating names and values). All pages with these headers use it. */
  headerSet(pairs: readonly string[]): HeaderSet {
    return this.#headerSet(JSON.stringify(pairs));
  }

  #headerSet(pairs: string): HeaderSet {
    const set = this.#headerSets.get(pairs) ?? headerSetOf(JSON.parse(pairs));
    this.#headerSets.set(pairs, set);
    return set;
  }

  /** Stores the page's row. @throws SQLite's error if the disk is full; in that case nothing has changed */
  put(page: StoredPage): void {
    const { path, tags, headers, bytes, checkedAt, touchedAt } = page;
    const [content, pairs] = [JSON.stringify(page.content), JSON.stringify(headers.pairs)];
    this.#transaction(() => {
      this.delete([path]);
      // Repairs a damaged header set, because `get` refuses every page that refers to one.
      this.#sql(
        `INSERT INTO header_sets VALUES (:name, :pairs)
           ON CONFLICT DO UPDATE SET pairs = excluded.pairs WHERE pairs <> excluded.pairs`,
      ).run({ name: headers.sum, pairs });
      const row = {
        path,
        headers: headers.sum,
        content,
        sum: sumOf(path, content, pairs, tags),
        bytes,
        checkedAt,
        touchedAt,
        isOutdated: Number(page.isOutdated),
        run: this.#settings.run,
        namesAnyPost: Number(namesAnyPost(tags)),
      };
      const { lastInsertRowid: id } = this.#sql(
        `INSERT INTO pages VALUES
           (NULL, :path, :headers, :content, :sum, :bytes, :checkedAt, :touchedAt, :isOutdated, :run, :namesAnyPost)`,
      ).run(row);
      this.#sql('INSERT INTO page_tags SELECT DISTINCT value, :id FROM json_each(:tags)').run({
        id,
        tags: JSON.stringify(tags),
      });
      this.#count++;
      this.#bytes += bytes;
    });
  }

  confirm({ path, checkedAt, isOutdated }: StoredPage): void {
    this.#sql(
      'UPDATE pages SET checked_at = :checkedAt, is_outdated = :isOutdated, verified_in = :run WHERE path = :path',
    ).run({ path, checkedAt, isOutdated: Number(isOutdated), run: this.#settings.run });
  }

  delete(paths: readonly string[]): void {
    const sql = 'DELETE FROM pages WHERE path IN (SELECT value FROM json_each(:paths)) RETURNING bytes';
    for (const { bytes } of this.#sql(sql).all({ paths: JSON.stringify(paths) })) {
      this.#count--;
      this.#bytes -= bytes as number;
    }
  }

  outdate(selection: Selection): void {
    if (selection.tags?.includes(SITE)) this.#write(this.distrustAll());
    else {
      const sql = `UPDATE pages SET is_outdated = 1 WHERE is_outdated = 0 AND (${SELECTED})`;
      this.#sql(sql).run(parameters(selection));
    }
  }

  /** Marks every page as outdated. Returns the new settings without writing them, so it also works if writes fail. */
  distrustAll(): Settings {
    const run = this.#settings.run + 1;
    this.#settings = { ...this.#settings, run, outdatedBefore: run };
    return this.#settings;
  }

  paths(selection: Selection): string[] {
    return this.#paths(whereOf(selection), selection);
  }

  tags(prefix: string): string[] {
    const rows = this.#sql('SELECT DISTINCT tag FROM page_tags WHERE substr(tag, 1, length(:prefix)) = :prefix');
    return rows.all({ prefix }).map(({ tag }) => tag as string);
  }

  /** Returns the paths of pages at `paths` or with one of `tags`, and of lists that may show any post. */
  pathsShowing(selection: Selection): string[] {
    const lists = 'names_any_post = 1 AND id IN (SELECT page FROM page_tags WHERE tag = :lists)';
    return this.#paths(`${SELECTED} OR (${lists})`, selection);
  }

  #paths(where: string, selection: Selection): string[] {
    const rows = this.#sql(`SELECT path FROM pages WHERE ${where} ORDER BY id`);
    return rows.all({ ...parameters(selection), lists: POSTS }).map(({ path }) => path as string);
  }

  countOutdated(selection: Selection): number {
    const sql = `SELECT count(*) AS pages FROM pages
      WHERE (is_outdated = 1 OR verified_in < :outdatedBefore) AND (${whereOf(selection)})`;
    const { outdatedBefore } = this.#settings;
    return this.#sql(sql).get({ ...parameters(selection), outdatedBefore })?.pages as number;
  }

  touch(path: string, touchedAt: number): void {
    this.#sql('UPDATE pages SET touched_at = :touchedAt WHERE path = :path').run({ path, touchedAt });
  }

  leastRecentlyRead(): { readonly path: string; readonly touchedAt: number } | undefined {
    const sql = 'SELECT path, touched_at AS touchedAt FROM pages ORDER BY touched_at, id LIMIT 1';
    return this.#sql(sql).get() as { path: string; touchedAt: number } | undefined;
  }

  /** Checkpoints the WAL. This blocks for tens of milliseconds, so call it between requests. */
  checkpoint(): void {
    this.#sql('PRAGMA wal_checkpoint(TRUNCATE)').get();
  }

  /** Syncs the WAL, then checkpoints it. Afterwards, a power cut cannot undo the writes. */
  async sync(): Promise<void> {
    if (this.#options.file === IN_MEMORY) return;
    const log = await open(`${this.#options.file}-wal`, 'r+');
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
    this.checkpoint();
  }

  /** @param state identifies the pages' data; pass it if this process has received and written every change */
  close(state?: string): void {
    try {
      if (state !== undefined) this.#write({ ...this.#settings, state });
    } finally {
      this.abandon();
    }
  }

  abandon(): void {
    this.#database.close();
  }

  /** Writes the settings. Only `close` adds a `state`, because after a crash the index may lack changes. */
  #write(settings: Settings): void {
    this.#settings = settings;
    this.#sql('INSERT OR REPLACE INTO settings VALUES (1, :json)').run({ json: JSON.stringify(settings) });
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    const before = [this.#count, this.#bytes] as const;
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      [this.#count, this.#bytes] = before;
      // SQLite may already have rolled back, for example if the disk is full.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #sql(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const sumOf = (path: string, content: string, pairs: string, tags: readonly string[]): string =>
  checksum([path, content, pairs, ...tags.toSorted()].join('\n'));

/** Returns true for a list that may show any post: it has no post tags. Other lists have a tag for each post. */
export const namesAnyPost = (tags: readonly string[]): boolean =>
  tags.includes(POSTS) && !tags.some((tag) => tag.startsWith(POST_TAG));

/** Errors that may go away without a repair: SQLITE_BUSY, SQLITE_LOCKED and SQLITE_FULL. */
const PASSING = new Set([5, 6, 13]);
/** SQLITE_IOERR_WRITE, which SQLite reports for an exhausted disk quota, and SQLITE_IOERR_SHMSIZE. */
const OUT_OF_SPACE = new Set([778, 4874]);

/** Returns true if an SQLite error means that the file is unusable, false if it only prevents writes for the moment. */
export function isIndexFault(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && !PASSING.has(errcode & 0xff) && !OUT_OF_SPACE.has(errcode);
}

/** Opens the index. Never throws: replaces an unusable file after calling `discard`, or keeps the index in memory. */
export function openPageIndex(options: PageIndexOptions, log: Log, discard: () => void): PageIndex {
  try {
    return new PageIndex(options);
  } catch (error) {
    return renewPageIndex(options, log, discard, error);
  }
}

export function renewPageIndex(options: PageIndexOptions, log: Log, discard: () => void, error: unknown): PageIndex {
  const { file } = options;
  log(
    'warn',
    `The index of stored pages is damaged and was replaced by an empty one: ${file}. Every page is rendered again.`,
    error,
  );
  try {
    discard();
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { recursive: true, force: true });
    return new PageIndex(options);
  } catch (fault) {
    log(
      'error',
      `The index of stored pages could not be created: ${file}. After a restart, every page is rendered again.`,
      fault,
    );
    return new PageIndex({ ...options, file: IN_MEMORY });
  }
}
