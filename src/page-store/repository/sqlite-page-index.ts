/**
 * Indexes stored pages in a SQLite file. Renders can restore its content, so a damaged file, or one with another
 * schema, is replaced by an empty one.
 */
import { closeSync, fdatasync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { checksum } from '@common-ink/http/compression.ts';
import type { Log } from '@common-ink/http/log.ts';
import { POST_TAG, POSTS, SITE } from '#blog/routes/tags.ts';
import { type HeaderSet, headerSetOf, type PageContent, StoredPage } from './stored-page.ts';

/** Pages by tag or by path. The tag `site` selects all pages. */
export interface Selection {
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export interface PageIndexOptions {
  readonly file: string;
  /** Identifies the build of the site: pages of another build are outdated. */
  readonly build: string;
  /**
   * Identifies the data that pages are made of, if known. Pages are verified if the store was closed with the same
   * state.
   */
  readonly state: string | undefined;
  readonly maximumAge: number;
  readonly now: () => number;
}

const IN_MEMORY = ':memory:';

const syncData = promisify(fdatasync);

const SCHEMA_VERSION = 3;
const SCHEMA = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE header_sets (id INTEGER PRIMARY KEY, pairs TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    header_set INTEGER NOT NULL REFERENCES header_sets,
    sums TEXT NOT NULL,
    identity_bytes INTEGER NOT NULL,
    gzip_bytes INTEGER NOT NULL,
    br_bytes INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    max_age INTEGER NOT NULL,
    reason TEXT NOT NULL,
    is_outdated INTEGER NOT NULL,
    -- The run in which a render last confirmed it.
    verified_in INTEGER NOT NULL,
    -- 1 for a list that does not say which posts it names.
    names_any_post INTEGER NOT NULL,
    -- Checksum of the columns that never change: a row that does not match it was damaged.
    row_sum TEXT NOT NULL
  ) STRICT;
  CREATE INDEX pages_touched ON pages (touched_at, id);
  CREATE TABLE page_tags (
    tag TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    PRIMARY KEY (tag, page)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_tags_page ON page_tags (page);
`;

/** A checkpoint, which syncs files, runs between requests; SQLite runs one when the log has 64 MB. */
const PRAGMAS = `
  PRAGMA busy_timeout = 2000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA wal_autocheckpoint = 16000;
  PRAGMA journal_size_limit = 33554432;
`;

interface Row {
  readonly id: number;
  readonly path: string;
  readonly header_set: number;
  readonly sums: string;
  readonly identity_bytes: number;
  readonly gzip_bytes: number;
  readonly br_bytes: number;
  readonly stored_at: number;
  readonly checked_at: number;
  readonly touched_at: number;
  readonly max_age: number;
  readonly reason: string;
  readonly is_outdated: number;
  readonly verified_in: number;
  readonly row_sum: string;
  readonly tags: string;
}

const PAGE = `
  SELECT *, (SELECT json_group_array(tag ORDER BY tag) FROM page_tags WHERE page = pages.id) AS tags
  FROM pages WHERE path = :path
`;

const SELECTED = `
  path IN (SELECT value FROM json_each(:paths))
  OR id IN (SELECT page FROM page_tags WHERE tag IN (SELECT value FROM json_each(:tags)))
`;

export class PageIndex {
  readonly #options: PageIndexOptions;
  readonly #database: DatabaseSync;
  /** Descriptor of the log, for syncing; undefined without a file. */
  readonly #log: number | undefined;
  readonly #statements = new Map<string, StatementSync>();
  readonly #headerSets = new Map<string, HeaderSet>();
  readonly #headersById = new Map<number, HeaderSet>();
  readonly #headerIds = new Map<HeaderSet, number>();
  /** Number of this process's run, or of the last change of all pages. */
  #run = 0;
  /** Pages confirmed before this run are outdated: another build, or a change of all pages. */
  #outdatedBefore = 0;
  /** Pages verified before this run may have missed a change. */
  #verifiedFrom = 0;
  #count = 0;
  #bytes = 0;

  constructor(options: PageIndexOptions) {
    this.#options = options;
    this.#database = open(options.file);
    this.#log = options.file === IN_MEMORY ? undefined : openSync(`${options.file}-wal`, 'r+');
    try {
      this.#readSettings();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  #readSettings(): void {
    const options = this.#options;
    const setting = (name: string): string | undefined =>
      (this.#get('SELECT value FROM settings WHERE name = :name', { name }) as { value: string } | undefined)?.value;
    const isVerified = options.state !== undefined && setting('state') === options.state;
    // Without settings, pages must not pass for those of a later run.
    const { last } = this.#get('SELECT coalesce(max(verified_in), 0) AS last FROM pages') as { last: number };
    this.#run = Math.max(Number(setting('run') ?? 0), last) + 1;
    this.#outdatedBefore = setting('build') === options.build ? Number(setting('outdatedBefore') ?? 0) : this.#run;
    this.#verifiedFrom = isVerified ? Number(setting('verifiedFrom') ?? 0) : this.#run;
    this.#writeSettings();
    const sum = 'SELECT count(*) AS pages, total(identity_bytes + gzip_bytes + br_bytes) AS bytes FROM pages';
    const { pages, bytes } = this.#get(sum) as { pages: number; bytes: number };
    this.#count = pages;
    this.#bytes = bytes;
    this.#all('DELETE FROM header_sets WHERE id NOT IN (SELECT header_set FROM pages)');
    for (const { id, pairs } of this.#all('SELECT id, pairs FROM header_sets') as { id: number; pairs: string }[])
      this.#nameHeaders(id, this.headerSet(JSON.parse(pairs)));
  }

  get size(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(path: string): boolean {
    return this.#get('SELECT 1 FROM pages WHERE path = :path', { path }) !== undefined;
  }

  /** Returns the page without its bodies; undefined if its row is missing or damaged. */
  get(path: string): StoredPage | undefined {
    const row = this.#get(PAGE, { path }) as Row | undefined;
    const headers = row && this.#headersById.get(row.header_set);
    if (!row || !headers) return undefined;
    const content: PageContent = {
      path,
      tags: JSON.parse(row.tags),
      headers,
      sums: row.sums,
      lengths: [row.identity_bytes, row.gzip_bytes, row.br_bytes],
      storedAt: row.stored_at,
      maxAge: row.max_age,
      reason: row.reason,
    };
    if (row.row_sum !== rowSum(content)) return undefined;
    const page = new StoredPage(content, row.touched_at);
    page.checkedAt = row.checked_at;
    page.isOutdated = row.is_outdated === 1 || row.verified_in < this.#outdatedBefore;
    page.isVerified = row.verified_in >= this.#verifiedFrom;
    page.hasWaiters = page.isOutdated;
    page.updateFreshness(this.#options.maximumAge);
    return page;
  }

  /** Returns the set of `pairs` (name, value, name, value) that pages share. */
  headerSet(pairs: readonly string[]): HeaderSet {
    const key = JSON.stringify(pairs);
    const set = this.#headerSets.get(key) ?? headerSetOf(pairs);
    this.#headerSets.set(key, set);
    return set;
  }

  /**
   * Replaces the page at its path.
   * @throws SQLite's error if the disk is full; nothing has changed then
   */
  put(page: StoredPage): void {
    const headers = this.#headersId(page.headers);
    const [identity, gzip, br] = page.lengths;
    this.#transaction(() => {
      this.delete([page.path]);
      const { id } = this.#get(
        `INSERT INTO pages (path, header_set, sums, identity_bytes, gzip_bytes, br_bytes, stored_at, checked_at,
           touched_at, max_age, reason, is_outdated, verified_in, names_any_post, row_sum)
         VALUES (:path, :headers, :sums, :identity, :gzip, :br, :storedAt, :checkedAt, :touchedAt, :maxAge, :reason,
           :isOutdated, :run, :namesAnyPost, :rowSum)
         RETURNING id`,
        {
          path: page.path,
          headers,
          sums: page.sums,
          identity,
          gzip,
          br,
          storedAt: page.storedAt,
          checkedAt: page.checkedAt,
          touchedAt: page.touchedAt,
          maxAge: page.maxAge,
          reason: page.reason,
          isOutdated: page.isOutdated ? 1 : 0,
          run: this.#run,
          namesAnyPost: namesAnyPost(page.tags) ? 1 : 0,
          rowSum: rowSum(page),
        },
      ) as { id: number };
      const tags = JSON.stringify(page.tags);
      this.#execute('INSERT INTO page_tags SELECT DISTINCT value, :id FROM json_each(:tags)', { id, tags });
      this.#count++;
      this.#bytes += page.bytes;
    });
  }

  confirm({ path, checkedAt, isOutdated }: StoredPage): void {
    const values = { path, checkedAt, isOutdated: isOutdated ? 1 : 0, run: this.#run };
    this.#execute(
      'UPDATE pages SET checked_at = :checkedAt, is_outdated = :isOutdated, verified_in = :run WHERE path = :path',
      values,
    );
  }

  delete(paths: readonly string[]): void {
    const sql = `DELETE FROM pages WHERE path IN (SELECT value FROM json_each(:paths))
      RETURNING identity_bytes + gzip_bytes + br_bytes AS bytes`;
    for (const { bytes } of this.#all(sql, { paths: JSON.stringify(paths) })) {
      this.#count--;
      this.#bytes -= bytes as number;
    }
  }

  outdate(selection: Selection): void {
    if (!isAll(selection)) {
      this.#execute(`UPDATE pages SET is_outdated = 1 WHERE is_outdated = 0 AND (${SELECTED})`, parameters(selection));
      return;
    }
    this.#run++;
    this.#outdatedBefore = this.#run;
    this.#writeSettings();
  }

  /** Outdates every page in the file, for this process; called if a change could not be written. */
  distrustAll(): void {
    this.#run++;
    this.#outdatedBefore = this.#run;
  }

  paths(selection: Selection): string[] {
    const where = isAll(selection) ? 'true' : SELECTED;
    const sql = `SELECT path FROM pages WHERE ${where} ORDER BY id`;
    return this.#all(sql, isAll(selection) ? {} : parameters(selection)).map(({ path }) => path as string);
  }

  countOutdated(selection: Selection): number {
    const where = isAll(selection) ? 'true' : SELECTED;
    const sql = `SELECT count(*) AS pages FROM pages
      WHERE (is_outdated = 1 OR verified_in < :outdatedBefore) AND (${where})`;
    const given = { outdatedBefore: this.#outdatedBefore, ...(isAll(selection) ? {} : parameters(selection)) };
    return (this.#get(sql, given) as { pages: number }).pages;
  }

  /** Returns the paths of the pages at `paths` or with one of `tags`, and of the lists that may name any post. */
  pathsShowing(selection: Selection): string[] {
    const lists = 'names_any_post = 1 AND id IN (SELECT page FROM page_tags WHERE tag = :lists)';
    const sql = `SELECT path FROM pages WHERE ${SELECTED} OR (${lists})`;
    return this.#all(sql, { ...parameters(selection), lists: POSTS }).map(({ path }) => path as string);
  }

  touch(path: string, touchedAt: number): void {
    this.#execute('UPDATE pages SET touched_at = :touchedAt WHERE path = :path', { path, touchedAt });
  }

  leastRecentlyRead(): { readonly path: string; readonly touchedAt: number } | undefined {
    const sql = 'SELECT path, touched_at AS touchedAt FROM pages ORDER BY touched_at, id LIMIT 1';
    return this.#get(sql) as { path: string; touchedAt: number } | undefined;
  }

  /** Moves the log into the file, which blocks for tens of milliseconds: call it between requests. */
  checkpoint(): void {
    this.#get('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Resolves when neither a power cut nor a truncated log can undo the writes. */
  async sync(): Promise<void> {
    if (this.#log === undefined) return;
    await syncData(this.#log);
    this.checkpoint();
  }

  /**
   * @param state identifies the data that pages are made of; pass it if the process has received and written every
   * change
   */
  close(state?: string): void {
    try {
      if (state !== undefined) this.#execute("INSERT OR REPLACE INTO settings VALUES ('state', :state)", { state });
    } finally {
      this.abandon();
    }
  }

  abandon(): void {
    this.#database.close();
    if (this.#log !== undefined) closeSync(this.#log);
  }

  #writeSettings(): void {
    const settings = {
      run: this.#run,
      build: this.#options.build,
      outdatedBefore: this.#outdatedBefore,
      verifiedFrom: this.#verifiedFrom,
    };
    this.#transaction(() => {
      // The state goes too: a process that crashes may have missed changes.
      this.#execute('DELETE FROM settings', {});
      for (const [name, value] of Object.entries(settings))
        this.#execute('INSERT INTO settings VALUES (:name, :value)', { name, value: String(value) });
    });
  }

  #headersId(headers: HeaderSet): number {
    const known = this.#headerIds.get(headers);
    if (known !== undefined) return known;
    const sql = 'INSERT INTO header_sets (pairs) VALUES (:pairs) RETURNING id';
    const { id } = this.#get(sql, { pairs: JSON.stringify(headers.pairs) }) as { id: number };
    this.#nameHeaders(id, headers);
    return id;
  }

  #nameHeaders(id: number, headers: HeaderSet): void {
    this.#headersById.set(id, headers);
    this.#headerIds.set(headers, id);
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      // A full disk may have ended it already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #get(sql: string, values: Values = {}): unknown {
    return this.#statement(sql).get(values);
  }

  #all(sql: string, values: Values = {}): Record<string, unknown>[] {
    return this.#statement(sql).all(values);
  }

  #execute(sql: string, values: Values): void {
    this.#statement(sql).run(values);
  }
}

type Values = Record<string, string | number>;

const isAll = ({ tags = [] }: Selection): boolean => tags.includes(SITE);

const parameters = ({ tags = [], paths = [] }: Selection): Values => ({
  tags: JSON.stringify(tags),
  paths: JSON.stringify(paths),
});

/** A list has the tag of each post it names; a list without any might name any post. */
export const namesAnyPost = (tags: readonly string[]): boolean =>
  tags.includes(POSTS) && !tags.some((tag) => tag.startsWith(POST_TAG));

/** Returns the checksum of a row's content. JSON escapes a character that SQLite's UTF-8 would replace. */
function rowSum({ path, tags, headers, sums, lengths, storedAt, maxAge, reason }: PageContent): string {
  const sorted = [...new Set(tags)].sort();
  return checksum([path, ...sorted, ...headers.pairs, sums, ...lengths, storedAt, maxAge, reason].join('\n'));
}

/** Opens the file; replaces one with another schema by an empty one. */
function open(file: string): DatabaseSync {
  for (;;) {
    const database = new DatabaseSync(file);
    try {
      database.exec(PRAGMAS);
      const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version === 0) database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
      if (version === 0 || version === SCHEMA_VERSION) {
        // This thread serves readers, so it waits for no lock.
        database.exec('PRAGMA busy_timeout = 0');
        return database;
      }
    } catch (error) {
      database.close();
      throw error;
    }
    database.close();
    remove(file);
  }
}

function remove(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { recursive: true, force: true });
}

/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_FULL. */
const PASSING = new Set([5, 6, 13]);
/** SQLITE_IOERR_WRITE, which a used-up disk quota causes, and SQLITE_IOERR_SHMSIZE. */
const OUT_OF_SPACE = new Set([778, 4874]);

/** Returns true if the file cannot be used, false if it just cannot be written now. */
export function isIndexFault(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && !PASSING.has(errcode & 0xff) && !OUT_OF_SPACE.has(errcode);
}

/**
 * Opens the index. Replaces an unusable one by an empty one, after `discard` has moved the stored pages away. Falls back
 * to an index in memory if no file can be made. Never throws.
 */
export function openPageIndex(options: PageIndexOptions, log: Log, discard: () => void): PageIndex {
  try {
    return new PageIndex(options);
  } catch (error) {
    return renewPageIndex(options, log, discard, error);
  }
}

/** Replaces the index because of `error`, as `openPageIndex` does. */
export function renewPageIndex(options: PageIndexOptions, log: Log, discard: () => void, error: unknown): PageIndex {
  const { file } = options;
  log('warn', `The index of stored pages cannot be used and is begun anew: ${file}. Pages are rendered again.`, error);
  try {
    discard();
    remove(file);
    return new PageIndex(options);
  } catch (fault) {
    log('error', `No index of stored pages can be made: ${file}. Pages are rendered again after a restart.`, fault);
    return new PageIndex({ ...options, file: IN_MEMORY });
  }
}
