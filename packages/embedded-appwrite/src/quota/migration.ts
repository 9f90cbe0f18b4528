/** Migrates to version 3: assigns owners to documents, and counts the bytes of files and documents per owner. */
import type { DatabaseSync } from 'node:sqlite';
import { COUNTED_FILES, countedDocuments, countRows, STORAGE_USAGE_TABLE, usageTriggers } from './tables.ts';

/** Terms per partial sum. SQLite limits the depth of an expression to 1000, and each term adds a level. */
const TERMS_TOGETHER = 100;

function textBytes(columns: readonly string[]): string {
  const terms = columns.map((column) => `iif(typeof(${column}) = 'text', octet_length(${column}), 0)`);
  const groups: string[] = [];
  for (let i = 0; i < terms.length; i += TERMS_TOGETHER) {
    groups.push(`(${terms.slice(i, i + TERMS_TOGETHER).join(' + ')})`);
  }
  return groups.join(' + ');
}

/** Returns SQL for the owner: the first user who may perform `action`, because by default only the creator may. */
const grantee = (action: string): string =>
  `(SELECT substr(value, ${action.length + 3}, length(value) - ${action.length + 4}) FROM json_each(permissions)
    WHERE value GLOB '${action}("user:*")' AND value NOT GLOB '*/*' LIMIT 1)`;

/** Bytes counted per document in addition to its strings. Fixed, because a released migration must not change. */
const DOCUMENT_BYTES = 512;

/** Sets owners and counts bytes in the migration's transaction. Documents that no user may change belong to `key`. */
export function countStorage(database: DatabaseSync): void {
  database.exec(STORAGE_USAGE_TABLE + countRows(COUNTED_FILES) + usageTriggers(COUNTED_FILES));
  for (const { sequence } of database.prepare('SELECT sequence FROM collections').all()) {
    const table = `documents_${sequence}`;
    const columns = database
      .prepare('SELECT sequence FROM attributes WHERE collection = ?')
      .all(sequence as number)
      .map((attribute) => `a${attribute.sequence}`);
    const counted = countedDocuments(table);
    database.exec(`
      ALTER TABLE ${table} ADD COLUMN owner TEXT NOT NULL DEFAULT 'key';
      ALTER TABLE ${table} ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
      UPDATE ${table} SET owner = coalesce(${grantee('update')}, ${grantee('delete')}, 'key'),
        bytes = ${DOCUMENT_BYTES} + ${textBytes(['permissions', ...columns])};
      ${countRows(counted)}
      ${usageTriggers(counted)}`);
  }
}
