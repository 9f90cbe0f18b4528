/** Checks the database schema in a backup, because SQLite would run any trigger added to it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { companionsOf, fulltextTables } from '../databases/documents/sqlite/layout.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { isBlobName } from '../storage/blobs.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** SQL without comments and with one space between tokens; empty for SQLite's automatic indexes. */
  readonly sql: string;
}

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|\s+|./gs;
const COLUMN =
  /[a-z]\w* (?:TEXT|INTEGER|REAL)(?: PRIMARY KEY AUTOINCREMENT| NOT NULL UNIQUE| NOT NULL(?: DEFAULT (?:'key'|0))?)?/;
/** Matches the SQL of a collection's documents table, unless a column definition contains an expression. */
const DOCUMENTS = new RegExp(`^CREATE TABLE documents_(\\d+) \\( ${COLUMN.source}(?: , ${COLUMN.source})* \\) STRICT$`);
const INDEX = /^CREATE (?:UNIQUE )?INDEX index_\d+ ON documents_\d+ \( \w+ (?:ASC|DESC)(?: , \w+ (?:ASC|DESC))* \)$/;
const FULLTEXT =
  /^CREATE VIRTUAL TABLE fulltext_(\d+) USING fts5 \( (\w+(?: , \w+)*) , content = 'documents_(\d+)' , content_rowid = 'sequence' \)$/;

function tokensOf(sql: string): string {
  const tokens = sql.match(TOKEN) ?? [];
  return tokens.filter((token) => !/^(?:\s|--|\/\*)/.test(token)).join(' ');
}

function objectsOf(database: DatabaseSync): SchemaObject[] {
  return database
    .prepare("SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema")
    .all()
    .map(({ type, name, sql }) => ({ type: `${type}`, name: `${name}`, sql: tokensOf(`${sql}`) }));
}

function makeExpected(database: DatabaseSync, version: number, found: readonly SchemaObject[]): void {
  for (const migration of MIGRATIONS) {
    if (migration.version > version) continue;
    database.exec(migration.sql);
    migration.run?.(database);
  }
  const matching = (form: RegExp) => found.map(({ sql }) => form.exec(sql)).filter((match) => match !== null);
  const made = [
    ...matching(DOCUMENTS).map(([sql, collection]) => `${sql}; ${companionsOf(Number(collection))}`),
    ...matching(INDEX).map(([sql]) => sql),
    ...matching(FULLTEXT).map(([, index, columns = '', collection]) =>
      fulltextTables(Number(index), Number(collection), columns.split(' , ')),
    ),
  ];
  for (const sql of made) {
    try {
      database.exec(sql);
    } catch {
      // An index on an unknown table cannot be created here, so the comparison reports it as unexpected.
    }
  }
}

/**
 * Compares the schema of the database in `directory`, opened read-only, with the expected one.
 * @returns a sentence for each unknown, changed or missing schema object; a missing index is allowed. If the schema is
 * correct, a sentence for each stored file with an invalid name.
 * @throws SQLite's error if it cannot read the file
 */
export function schemaFaults(directory: string): string[] {
  const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
  const expected = new DatabaseSync(':memory:');
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    const newest = MIGRATIONS.at(-1)?.version ?? 0;
    if (version < 1 || version > newest)
      return [`The database has version ${version}, but this release only knows versions 1 to ${newest}.`];
    const found = objectsOf(database);
    makeExpected(expected, version, found);
    const faults = [...differences(found, objectsOf(expected))];
    return faults.length > 0 ? faults : [...nameFaults(database)];
  } finally {
    database.close();
    expected.close();
  }
}

/** Yields a sentence for each stored file whose name could lead outside the folder. */
function* nameFaults(database: DatabaseSync): Generator<string> {
  for (const { id, blob } of database.prepare('SELECT id, blob FROM files').iterate())
    if (!isBlobName(`${blob}`)) yield `File ${id} is stored under ${JSON.stringify(blob)}, which is not a valid name.`;
}

function* differences(found: readonly SchemaObject[], expected: readonly SchemaObject[]): Generator<string> {
  const keyOf = ({ type, name }: SchemaObject) => `${type} ${name}`;
  const wanted = new Map(expected.map((each) => [keyOf(each), each]));
  for (const each of found) {
    const own = wanted.get(keyOf(each));
    wanted.delete(keyOf(each));
    if (!own) yield `The database has the ${keyOf(each)}, which this release does not create.`;
    else if (own.sql !== each.sql)
      yield `The ${keyOf(each)} of the database differs from the one that this release creates.`;
  }
  for (const { type, name } of wanted.values())
    if (type !== 'index') yield `The database is missing the ${type} ${name}.`;
}
