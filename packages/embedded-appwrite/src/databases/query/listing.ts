import { exactText } from '../../http/exact-json.ts';
import { boolean, optional, queries, text } from '../../http/params.ts';
import { type Answer, ok } from '../../http/route.ts';
import type { Store } from '../../sqlite/store.ts';
import type { Row } from '../../sqlite/table.ts';
import { searchCondition } from '../search.ts';
import { both, type ListSource, listRows, tooLong } from './list.ts';
import { type ListQuery, parseQueries } from './parse.ts';

export const QUERY_PARAMS = {
  queries: optional(queries(), []),
  /** If false, the response's `total` is 0, which saves counting. */
  total: optional(boolean(), true),
};

export const LIST_PARAMS = { ...QUERY_PARAMS, search: optional(text(256, { min: 0 }), '') };

/** Lists of up to this many rows are served immediately; longer ones wait for their turn and are sent in pieces. */
const SHORT = 500;
/** Maximum rows per list, for callers without a server key. */
const MOST = 10_000;
const PIECE = 50;

interface ListParams {
  readonly queries: readonly string[];
  readonly search?: string;
  readonly total: boolean;
}

function prepare<S extends ListSource>(source: S, params: ListParams): { source: S; query: ListQuery } {
  const query = parseQueries(params.queries, source.schema, { errorType: 'general_argument_invalid' });
  const search = searchCondition(params.search ?? '', ['id', 'name']);
  return { query, source: { ...source, scope: source.scope ? both(source.scope, search) : search } };
}

/**
 * Returns the response for a list, with each row converted by `show`. Throws 400 `general_argument_invalid` for an
 * invalid query.
 */
export function listAnswer(
  store: Store,
  of: ListSource,
  params: ListParams,
  name: string,
  show: (row: Row) => unknown,
): Answer {
  const { source, query } = prepare(of, params);
  const { rows, total } = listRows(store, source, query, params.total);
  return ok({ total, [name]: rows.map(show) });
}

/** Like `listAnswer`, but callers without a server key get 400 for too many rows and 408 for an expensive query. */
export function listResponse(
  store: Store,
  of: ListSource & Required<Pick<ListSource, 'caller'>>,
  params: ListParams,
  { name, show }: { readonly name: string; readonly show: (row: Row) => unknown },
): Answer {
  const { source, query } = prepare(of, params);
  const limit = of.caller.privileged ? query.limit : Math.min(query.limit, MOST + 1);
  const list = () => listRows(store, source, { ...query, limit }, params.total);
  if (query.limit > SHORT) return { status: 200, pieces };
  const { rows, total } = list();
  return ok({ total, [name]: rows.map(show) });

  function* pieces(): Generator<Buffer> {
    const { rows, total } = list();
    if (!of.caller.privileged && rows.length > MOST) throw tooLong(`more than ${MOST} ${name}`);
    yield Buffer.from(`{"total":${total},"${name}":[`);
    for (let from = 0; from < rows.length; from += PIECE) {
      const texts = rows.slice(from, from + PIECE).map((row) => exactText(show(row)));
      yield Buffer.from(`${from > 0 ? ',' : ''}${texts.join()}`);
    }
    yield Buffer.from(']}');
  }
}
