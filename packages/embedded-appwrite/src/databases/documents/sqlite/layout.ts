import { countedDocuments, uncountRows, usageTriggers } from '../../../quota/tables.ts';
import { KINDS } from '../../attributes/kinds.ts';
import type { Attribute, Collection, Index } from '../../catalogue/model.ts';

export const FIXED_COLUMNS = ['sequence', 'id', 'created', 'updated', 'permissions'] as const;

const INTERNAL: Readonly<Record<string, string>> = {
  $id: 'id',
  $sequence: 'sequence',
  $createdAt: 'created',
  $updatedAt: 'updated',
};

export const documentsTable = (collection: number): string => `documents_${collection}`;
/** Returns the name of the table that records which roles may read each document, for use with document security. */
export const readersTable = (collection: number): string => `readers_${collection}`;
export const fulltextTable = (index: number): string => `fulltext_${index}`;
const indexName = (index: number): string => `index_${index}`;

export function createTables(collection: number): string {
  const documents = documentsTable(collection);
  return `
    CREATE TABLE ${documents} (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      created TEXT NOT NULL,
      updated TEXT NOT NULL,
      permissions TEXT NOT NULL,
      owner TEXT NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    ${companionsOf(collection)}`;
}

export function companionsOf(collection: number): string {
  const documents = documentsTable(collection);
  return `
    ${usageTriggers(countedDocuments(documents))}
    CREATE INDEX ${documents}_created ON ${documents} (created);
    CREATE INDEX ${documents}_updated ON ${documents} (updated);
    CREATE TABLE ${readersTable(collection)} (
      role INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      PRIMARY KEY (role, sequence)
    ) STRICT, WITHOUT ROWID;`;
}

export function dropTables(collection: Collection): string {
  return [
    uncountRows(countedDocuments(documentsTable(collection.sequence))),
    ...collection.indexes.filter(({ type }) => type === 'fulltext').map((index) => dropIndex(index)),
    `DROP TABLE ${readersTable(collection.sequence)};`,
    `DROP TABLE ${documentsTable(collection.sequence)};`,
  ].join('\n');
}

/** Returns the SQL type of an attribute's column; arrays are JSON text. */
export function columnType({ array, kind }: Pick<Attribute, 'array' | 'kind'>): 'TEXT' | 'INTEGER' | 'REAL' {
  if (array) return 'TEXT';
  const { stored } = KINDS[kind];
  if (stored === 'float') return 'REAL';
  return stored === 'integer' || stored === 'boolean' ? 'INTEGER' : 'TEXT';
}

export function columnOf(collection: Collection, key: string): string | undefined {
  return INTERNAL[key] ?? collection.attributes.find((attribute) => attribute.key === key)?.column;
}

export function fulltextTables(index: number, collection: number, columns: readonly string[]): string {
  const documents = documentsTable(collection);
  const words = fulltextTable(index);
  const list = columns.join(', ');
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  const remove = `INSERT INTO ${words} (${words}, rowid, ${list}) VALUES ('delete', old.sequence, ${of('old')});`;
  const add = `INSERT INTO ${words} (rowid, ${list}) VALUES (new.sequence, ${of('new')});`;
  return `
    CREATE VIRTUAL TABLE ${words} USING fts5 (${list}, content = '${documents}', content_rowid = 'sequence');
    INSERT INTO ${words} (${words}) VALUES ('rebuild');
    CREATE TRIGGER ${words}_insert AFTER INSERT ON ${documents} BEGIN ${add} END;
    CREATE TRIGGER ${words}_delete AFTER DELETE ON ${documents} BEGIN ${remove} END;
    CREATE TRIGGER ${words}_update AFTER UPDATE OF ${list} ON ${documents} BEGIN ${remove} ${add} END;`;
}

/** Returns an index's SQL. A key index ends with the sequence, like a list's order, so SQLite does not have to sort. */
function keySql(collection: Collection, index: Index, columns: readonly string[]): string {
  const terms = columns.map((column, i) => `${column} ${index.orders[i] === 'DESC' ? 'DESC' : 'ASC'}`);
  const last = index.attributes.at(-1);
  const newestFirst = index.orders[columns.length - 1] === 'DESC' && (last === '$createdAt' || last === '$updatedAt');
  if (index.type === 'key' && !columns.includes('sequence')) terms.push(`sequence ${newestFirst ? 'DESC' : 'ASC'}`);
  const unique = index.type === 'unique' ? 'UNIQUE ' : '';
  const table = documentsTable(collection.sequence);
  return `CREATE ${unique}INDEX ${indexName(index.sequence)} ON ${table} (${terms.join(', ')});`;
}

export function createIndex(collection: Collection, index: Index): string {
  const columns = index.attributes.map((key) => columnOf(collection, key) as string);
  return index.type === 'fulltext'
    ? fulltextTables(index.sequence, collection.sequence, columns)
    : keySql(collection, index, columns);
}

export function dropIndex(index: Index): string {
  if (index.type !== 'fulltext') return `DROP INDEX ${indexName(index.sequence)};`;
  const words = fulltextTable(index.sequence);
  const triggers = ['insert', 'delete', 'update'].map((act) => `DROP TRIGGER ${words}_${act};`);
  return [...triggers, `DROP TABLE ${words};`].join('\n');
}
