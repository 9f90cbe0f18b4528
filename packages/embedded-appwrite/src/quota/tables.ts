/**
 * Counts the bytes that each owner stores. Triggers update the owner's row within the writing transaction, so a quota
 * check is a single look-up. Cascading deletions fire the triggers; dropping a table does not.
 */
export const STORAGE_USAGE_TABLE = `
CREATE TABLE storage_usage (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export interface Counted {
  readonly table: string;
  /** The column with the owner's id. A row's owner must never change: the update trigger watches only the bytes. */
  readonly owner: string;
  readonly bytes: string;
}

export function usageTriggers({ table, owner, bytes }: Counted): string {
  return `
    CREATE TRIGGER ${table}_usage_insert AFTER INSERT ON ${table} BEGIN
      INSERT INTO storage_usage (owner, bytes) VALUES (new.${owner}, new.${bytes})
      ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
    END;
    CREATE TRIGGER ${table}_usage_update AFTER UPDATE OF ${bytes} ON ${table} BEGIN
      UPDATE storage_usage SET bytes = bytes + new.${bytes} - old.${bytes} WHERE owner = new.${owner};
    END;
    CREATE TRIGGER ${table}_usage_delete AFTER DELETE ON ${table} BEGIN
      UPDATE storage_usage SET bytes = bytes - old.${bytes} WHERE owner = old.${owner};
    END;`;
}

export function countRows({ table, owner, bytes }: Counted): string {
  return `
    INSERT INTO storage_usage (owner, bytes)
    SELECT ${owner}, sum(${bytes}) FROM ${table} WHERE true GROUP BY ${owner}
    ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;`;
}

/** Returns the SQL that subtracts a table's rows from the counts. Run it before dropping the table. */
export function uncountRows({ table, owner, bytes }: Counted): string {
  return `
    UPDATE storage_usage SET bytes = storage_usage.bytes - gone.bytes
    FROM (SELECT ${owner} AS owner, sum(${bytes}) AS bytes FROM ${table} GROUP BY ${owner}) AS gone
    WHERE storage_usage.owner = gone.owner;`;
}

/** Counts only file sizes, as schema versions up to 9 did; version 10 adds an overhead per file (`FILE_BYTES`). */
export const COUNTED_FILES: Counted = { table: 'files', owner: 'uploader', bytes: 'size_original' };

export const countedDocuments = (table: string): Counted => ({ table, owner: 'owner', bytes: 'bytes' });
