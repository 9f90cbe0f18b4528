/**
 * Which pages are stored, with which tags and since when: a SQLite file. It holds nothing that a render could not bring
 * back, so that a file of another form, or one that was damaged, is begun anew. It is one file, although a long one,
 * because each statement can only be judged beside the schema.
 */
import { closeSync, fdatasync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { checksum } from '@common-ink/http/compression.ts';
import type { Log } from '@common-ink/http/log.ts';
import { POST_TAG, POSTS, SITE } from '#blog/routes/tags.ts';
import { type HeaderSet, headerSetOf, type PageContent, StoredPage } from './stored-page.ts';

/** Pages by tag or by address. The tag `site` means all of them. */
export interface Selection {
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export interface PageIndexOptions {
  /** The database file; made when missing. */
  readonly file: string;
  /** Names the build of the site: pages of another one are outdated. */
  readonly build: string;
  /** Names what pages are made of, where it is known: where the store was closed with the same, its pages are verified. */
  readonly state: string | undefined;
  /** Seconds after which any page is rendered again. */
  readonly maximumAge: number;
  /** Seconds since 1970. */
  readonly now: () => number;
}

/** SQLite's name for a database without a file. */
const IN_MEMORY = ':memory:';

const syncData = promisify(fdatasync);

const FORM = 2;
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
    -- The run in which it was last found right.
    verified_in INTEGER NOT NULL,
    -- 1 for a list that does not say which posts it names.
    names_any_post INTEGER NOT NULL,
    -- Checksum of the columns that never change: a row that does not match it was damaged.
    row_sum TEXT NOT NULL,
    -- While its files are being replaced: the page that they are replaced by, as JSON.
    next TEXT
  ) STRICT;
  CREATE INDEX pages_touched ON pages (touched_at, id);
  CREATE TABLE page_tags (
    tag TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    PRIMARY KEY (tag, page)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_tags_page ON page_tags (page);
`;

/** A killed process loses nothing (the log is the system's); a checkpoint, which syncs files, is made when nobody waits. */
const PRAGMAS = `
  PRAGMA busy_timeout = 2000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA wal_autocheckpoint = 0;
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
  readonly next: string | null;
  /** As JSON. */
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
  readonly #headerSetsById = new Map<number, HeaderSet>();
  /** Number of this process's run, or of the last change of all pages. */
  #run = 0;
  /** Pages found right before this run are outdated: another build, or a change of all pages. */
  #outdatedBefore = 0;
  /** Pages verified before this run may have changed since, unnoticed. */
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
      this.#addHeaderSet(headerSetOf(id, JSON.parse(pairs)));
  }

  /** How many pages are stored. */
  get size(): number {
    return this.#count;
  }

  /** Of all pages' files. */
  get bytes(): number {
    return this.#bytes;
  }

  has(path: string): boolean {
    return this.#get('SELECT 1 FROM pages WHERE path = :path', { path }) !== undefined;
  }

  /** The page without its bodies, undefined where its row is damaged; and, after a crash between its files, the page that they were replaced by. */
  get(path: string): { readonly page: StoredPage; readonly next: PageContent | undefined } | undefined {
    const row = this.#get(PAGE, { path }) as Row | undefined;
    const headers = row && this.#headerSetsById.get(row.header_set);
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
    return { page, next: row.next === null ? undefined : this.#parseNext(row.next) };
  }

  /** The header set of `pairs` (name, value, name, value). @throws SQLite's error when the disk is full. */
  headerSet(pairs: readonly string[]): HeaderSet {
    const key = JSON.stringify(pairs);
    const known = this.#headerSets.get(key);
    if (known) return known;
    const sql = 'INSERT INTO header_sets (pairs) VALUES (:key) RETURNING id';
    const { id } = this.#get(sql, { key }) as { id: number };
    return this.#addHeaderSet(headerSetOf(id, pairs));
  }

  /** Says that the files of a stored page are about to be replaced by those of `next`. */
  beginReplace(next: PageContent): void {
    const text = JSON.stringify({ ...next, headers: this.headerSet(next.headers.pairs).id });
    this.#execute('UPDATE pages SET next = :text WHERE path = :path', { text, path: next.path });
  }

  /** Puts a page in place of the one at its path. @throws SQLite's error when the disk is full; nothing has changed then. */
  put(page: StoredPage): void {
    const headers = this.headerSet(page.headers.pairs).id;
    this.#transaction(() => {
      const { path } = page;
      const before = this.#get('SELECT identity_bytes + gzip_bytes + br_bytes AS bytes FROM pages WHERE path = :path', {
        path,
      }) as { bytes: number } | undefined;
      const [identity, gzip, br] = page.lengths;
      const { id } = this.#get(
        `INSERT INTO pages (path, header_set, sums, identity_bytes, gzip_bytes, br_bytes, stored_at, checked_at,
           touched_at, max_age, reason, is_outdated, verified_in, names_any_post, row_sum, next)
         VALUES (:path, :headers, :sums, :identity, :gzip, :br, :storedAt, :checkedAt, :touchedAt, :maxAge, :reason,
           :isOutdated, :run, :namesAnyPost, :rowSum, NULL)
         ON CONFLICT (path) DO UPDATE SET header_set = excluded.header_set, sums = excluded.sums,
           identity_bytes = excluded.identity_bytes, gzip_bytes = excluded.gzip_bytes, br_bytes = excluded.br_bytes,
           stored_at = excluded.stored_at, checked_at = excluded.checked_at, touched_at = excluded.touched_at,
           max_age = excluded.max_age, reason = excluded.reason, is_outdated = excluded.is_outdated,
           verified_in = excluded.verified_in, names_any_post = excluded.names_any_post,
           row_sum = excluded.row_sum, next = NULL
         RETURNING id`,
        {
          path,
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
      const others = 'tag NOT IN (SELECT value FROM json_each(:tags))';
      this.#execute(`DELETE FROM page_tags WHERE page = :id AND ${others}`, { id, tags });
      this.#execute('INSERT OR IGNORE INTO page_tags SELECT value, :id FROM json_each(:tags)', { id, tags });
      this.#count += before ? 0 : 1;
      this.#bytes += page.bytes - (before?.bytes ?? 0);
    });
  }

  /** A render found the page right, but for changes since then. */
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

  /** Marks pages as outdated; gives the paths of those that were not. Of all pages it gives none. */
  outdate(selection: Selection): string[] {
    if (!isAll(selection)) {
      const sql = `UPDATE pages SET is_outdated = 1 WHERE is_outdated = 0 AND (${SELECTED}) RETURNING path`;
      return this.#all(sql, parameters(selection)).map(({ path }) => path as string);
    }
    this.#run++;
    this.#outdatedBefore = this.#run;
    this.#writeSettings();
    return [];
  }

  /** When a change could not be written: no page of the file is believed to be current any more. */
  distrustAll(): void {
    this.#run++;
    this.#outdatedBefore = this.#run;
  }

  paths(selection: Selection): string[] {
    const where = isAll(selection) ? 'true' : SELECTED;
    const sql = `SELECT path FROM pages WHERE ${where} ORDER BY id`;
    return this.#all(sql, isAll(selection) ? {} : parameters(selection)).map(({ path }) => path as string);
  }

  /** How many pages of a selection have yet to be rendered again. */
  countOutdated(selection: Selection): number {
    const where = isAll(selection) ? 'true' : SELECTED;
    const sql = `SELECT count(*) AS pages FROM pages
      WHERE (is_outdated = 1 OR verified_in < :outdatedBefore) AND (${where})`;
    const given = { outdatedBefore: this.#outdatedBefore, ...(isAll(selection) ? {} : parameters(selection)) };
    return (this.#get(sql, given) as { pages: number }).pages;
  }

  /** Paths of the pages at `paths`, of those that carry one of `tags`, and of the lists that may name any post. */
  pathsShowing(selection: Selection): string[] {
    const lists = 'names_any_post = 1 AND id IN (SELECT page FROM page_tags WHERE tag = :lists)';
    const sql = `SELECT path FROM pages WHERE ${SELECTED} OR (${lists})`;
    return this.#all(sql, { ...parameters(selection), lists: POSTS }).map(({ path }) => path as string);
  }

  /** Notes when pages were last read. */
  touch(pages: Iterable<Pick<StoredPage, 'path' | 'touchedAt'>>): void {
    this.#transaction(() => {
      for (const { path, touchedAt } of pages)
        this.#execute('UPDATE pages SET touched_at = :touchedAt WHERE path = :path', { path, touchedAt });
    });
  }

  /** Paths of the pages that were longest without a reader, those first. */
  leastRecentlyRead(most: number): string[] {
    const sql = 'SELECT path FROM pages ORDER BY touched_at, id LIMIT :most';
    return this.#all(sql, { most }).map(({ path }) => path as string);
  }

  /** Pages of the log that are not in the file yet. */
  get pendingFrames(): number {
    const { log, checkpointed } = this.#get('PRAGMA wal_checkpoint(NOOP)') as { log: number; checkpointed: number };
    return log - checkpointed;
  }

  /** Moves the log into the file and empties it, which takes some tens of milliseconds: call it between requests. */
  checkpoint(): void {
    this.#get('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Resolves once neither a power cut nor a log that is cut short can undo what was written. */
  async sync(): Promise<void> {
    if (this.#log === undefined) return;
    await syncData(this.#log);
    this.checkpoint();
  }

  /** `state`: what pages are made of now, when the process has received every change and written all of them. */
  close(state?: string): void {
    try {
      if (state !== undefined) this.#execute("INSERT OR REPLACE INTO settings VALUES ('state', :state)", { state });
    } finally {
      this.abandon();
    }
  }

  /** Closes the file as it is. */
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
      // What is left of the state goes: after a crash there is none, and changes may have been missed.
      this.#execute('DELETE FROM settings', {});
      for (const [name, value] of Object.entries(settings))
        this.#execute('INSERT INTO settings VALUES (:name, :value)', { name, value: String(value) });
    });
  }

  #parseNext(text: string): PageContent | undefined {
    const next = parsed(text) as Omit<PageContent, 'headers'> & { readonly headers: number };
    const headers = this.#headerSetsById.get(next.headers);
    return headers && { ...next, headers };
  }

  #addHeaderSet(set: HeaderSet): HeaderSet {
    this.#headerSets.set(JSON.stringify(set.pairs), set);
    this.#headerSetsById.set(set.id, set);
    return set;
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

/** Returns the value of a JSON text, or an empty object for one that was damaged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const isAll = ({ tags = [] }: Selection): boolean => tags.includes(SITE);

const parameters = ({ tags = [], paths = [] }: Selection): Values => ({
  tags: JSON.stringify(tags),
  paths: JSON.stringify(paths),
});

/** A list gives the tag of each post it names; one that gives none might name any. */
export const namesAnyPost = (tags: readonly string[]): boolean =>
  tags.includes(POSTS) && !tags.some((tag) => tag.startsWith(POST_TAG));

/** Returns the checksum of what a row is written with. JSON would escape a letter that SQLite's UTF-8 replaces. */
function rowSum({ path, tags, headers, sums, lengths, storedAt, maxAge, reason }: PageContent): string {
  const sorted = [...new Set(tags)].sort();
  return checksum([path, ...sorted, ...headers.pairs, sums, ...lengths, storedAt, maxAge, reason].join('\n'));
}

/** Opens the file; replaces one of another form by an empty one. */
function open(file: string): DatabaseSync {
  for (;;) {
    const database = new DatabaseSync(file);
    try {
      database.exec(PRAGMAS);
      const { user_version: form } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (form === 0) database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${FORM}; COMMIT;`);
      if (form === 0 || form === FORM) {
        // This thread serves readers, so it waits for no lock from here on.
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

/** Deletes the file and its log, or a folder or link in their place. */
function remove(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { recursive: true, force: true });
}

/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_FULL. */
const PASSING = new Set([5, 6, 13]);
/** SQLITE_IOERR_WRITE, which a used-up quota gives as well, and SQLITE_IOERR_SHMSIZE. */
const WANT_OF_ROOM = new Set([778, 4874]);

/** Returns true when the file cannot be used, false when it only cannot be written now. */
export function isIndexFault(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && !PASSING.has(errcode & 0xff) && !WANT_OF_ROOM.has(errcode);
}

/**
 * Opens the index. One that cannot be used is begun anew, after `discard` has put the stored pages out of the way. Falls
 * back to an index in memory where no file can be made. Never throws.
 */
export function openPageIndex(options: PageIndexOptions, log: Log, discard: () => void): PageIndex {
  try {
    return new PageIndex(options);
  } catch (error) {
    return renewPageIndex(options, log, discard, error);
  }
}

/** Begins the index anew because of `error`, as `openPageIndex` does. */
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
