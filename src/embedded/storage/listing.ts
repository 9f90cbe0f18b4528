/** The lists of the storage service: queries, search and total as on every list (contract 2.4). */
import { both, type ListSource, listRows, type Row } from '../databases/query/list.ts';
import { parseQueries } from '../databases/query/parse.ts';
import type { Fragment } from '../databases/query/schema.ts';
import { boolean, optional, queries, text } from '../http/params.ts';
import type { Store } from '../sqlite/store.ts';

/** Parameters of a list with a search over name and id. */
export const LIST_PARAMS = {
  queries: optional(queries(), []),
  search: optional(text(256, { min: 0 }), ''),
  /** False: do not count, answer 0. */
  total: optional(boolean(), true),
};

const ALL: Fragment = { sql: '1', values: [] };

/** Rows whose id or name contains the text, ignoring case. */
function searchCondition(search: string): Fragment {
  if (search === '') return ALL;
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return { sql: "name LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\'", values: [pattern, pattern] };
}

/** Answers a list request. Throws 400 `general_argument_invalid` for a fault in a query. */
export function listOf(
  store: Store,
  source: ListSource,
  params: { queries: string[]; search?: string; total: boolean },
): { rows: Row[]; total: number } {
  const query = parseQueries(params.queries, source.schema, { errorType: 'general_argument_invalid' });
  const scope = both(source.scope ?? ALL, searchCondition(params.search ?? ''));
  return listRows(store, { ...source, scope }, query, params.total);
}
