/** SQL functions that compiled queries call. */
import type { DatabaseSync } from 'node:sqlite';
import { FOLD } from './compile.ts';

const prepared = new WeakSet<DatabaseSync>();

/** Makes the functions of compiled queries known to a connection; done once for each. */
export function provideFunctions(database: DatabaseSync): void {
  if (prepared.has(database)) return;
  prepared.add(database);
  database.function(FOLD, { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
}
