/** The `search` parameter of lists: the text anywhere in one of a few columns. */
import type { Fragment } from './query/schema.ts';

export function searchCondition(search: string, columns: readonly string[]): Fragment {
  if (search === '') return { sql: '1', values: [] };
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return {
    sql: columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR '),
    values: columns.map(() => pattern),
  };
}
