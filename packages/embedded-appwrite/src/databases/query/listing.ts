/** The lists of the storage service: queries, search and total as on every list (contract 2.4). */
import { both, type ListSource, listRows, type Row, tooLong } from '../databases/query/list.ts';
import { parseQueries } from '../databases/query/parse.ts';
import type { Fragment } from '../databases/query/schema.ts';
import { searchCondition } from '../databases/search.ts';
import { exactText } from '../http/exact-json.ts';
import { boolean, optional, queries, text } from '../http/params.ts';
import type { Answer } from '../http/route.ts';
import type { Store } from '../sqlite/store.ts';

/** Parameters of a list with a search over name and id. */
export const LIST_PARAMS = {
  queries: optional(queries(), []),
  search: optional(text(256, { min: 0 }), ''),
  /** False: do not count, answer 0. */
  total: optional(boolean(), true),
};

/** Lists that ask for more rows are made in turn, piece by piece. */
const SHORT = 500;
/** Rows of one list, for callers without a server key. */
const MOST = 10_000;
/** Rows of one piece. */
const PIECE = 50;

const ALL: Fragment = { sql: '1', values: [] };

interface ListParams {
  readonly queries: readonly string[];
  readonly search?: string;
  readonly total: boolean;
}

/**
 * Answers a list of anybody's, each row as `show` gives it. Throws as `listOf`, 400 for more rows than a list may have,
 * 408 for more to read than the caller's bounds allow.
 */
export function listResponse(
  store: Store,
  source: ListSource & Required<Pick<ListSource, 'caller'>>,
  params: ListParams,
  { name, show }: { readonly name: string; readonly show: (row: Row) => unknown },
): Answer {
  const query = parseQueries(params.queries, source.schema, { errorType: 'general_argument_invalid' });
  const scope = both(source.scope ?? ALL, searchCondition(params.search ?? '', ['id', 'name']));
  const limit = source.caller.privileged ? query.limit : Math.min(query.limit, MOST + 1);
  const list = () => listRows(store, { ...source, scope }, { ...query, limit }, params.total);
  if (query.limit > SHORT) return { status: 200, pieces };
  const { rows, total } = list();
  return { status: 200, body: { total, [name]: rows.map(show) } };

  function* pieces(): Generator<Buffer> {
    const { rows, total } = list();
    if (!source.caller.privileged && rows.length > MOST) throw tooLong(`more than ${MOST} ${name}`);
    yield Buffer.from(`{"total":${total},"${name}":[`);
    for (let from = 0; from < rows.length; from += PIECE) {
      const texts = rows.slice(from, from + PIECE).map((row) => exactText(show(row)));
      yield Buffer.from(`${from > 0 ? ',' : ''}${texts.join()}`);
    }
    yield Buffer.from(']}');
  }
}

/** Answers a list request. Throws 400 `general_argument_invalid` for a fault in a query. */
export function listOf(store: Store, source: ListSource, params: ListParams): { rows: Row[]; total: number } {
  const query = parseQueries(params.queries, source.schema, { errorType: 'general_argument_invalid' });
  const scope = both(source.scope ?? ALL, searchCondition(params.search ?? '', ['id', 'name']));
  return listRows(store, { ...source, scope }, query, params.total);
}
