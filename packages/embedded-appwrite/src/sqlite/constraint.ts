/** Reads what SQLite says of a refused write. */

/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const UNIQUENESS = new Set([2067, 1555]);

/** The `table.column` whose uniqueness a write violated; `undefined` for every other error. */
export function violatedColumn(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || !UNIQUENESS.has(error.errcode as number)) return undefined;
  return /failed: (.+)$/.exec(error.message)?.[1] ?? 'unknown';
}
