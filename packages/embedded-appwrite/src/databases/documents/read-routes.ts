import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { boolean, optional, queries, range } from '../../http/params.ts';
import type { Answer, Route } from '../../http/route.ts';
import { type Dialect, inBothDialects } from '../dialect.ts';
import { tooLong } from '../query/list.ts';
import { parseQueries } from '../query/parse.ts';
import { type Searches, searchInSlices } from '../query/search-in-slices.ts';
import type { DatabasesService } from '../service.ts';
import { documentJson, listParts } from './json.ts';
import { type DocumentPage, type PlannedPage, planPage } from './list.ts';
import { DOCUMENT, DOCUMENT_PARAMS, DOCUMENTS, DOCUMENTS_PARAMS } from './params.ts';
import { mayDo } from './rights.ts';
import type { RenderedDocument } from './sqlite/plan.ts';
import type { DocumentTable } from './sqlite/table.ts';

const PARSING = { errorType: 'general_query_invalid', select: true } as const;
const A_DAY = 86_400;
/** Maximum size of a list in bytes, for callers without a server key. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Lists of up to this many bytes are sent in one piece, longer ones in several. */
const SHORT = 1024 * 1024;
/** Lists of up to this many documents are built without first asking the database for their size. */
const FEW = 25;
const SHORT_DOCUMENTS = 1000;
const MEASURED = 500;
const EMPTY_PIECE = Buffer.alloc(0);

interface List {
  readonly service: DatabasesService;
  readonly table: DocumentTable;
  readonly caller: Caller;
  readonly dialect: Dialect;
}

function* documentsOf(
  { service, table, caller }: List,
  { rows, version, show }: DocumentPage,
): Generator<RenderedDocument> {
  const { collection } = table;
  for (const row of rows) {
    // A different table object means that the collection has changed, so the plan is no longer valid.
    if (service.documents({ databaseId: collection.database.id, collectionId: collection.id }, caller) !== table) {
      throw new AppwriteError('general_server_busy');
    }
    const document = show(row);
    if (!document) continue;
    const isSame = table.version === version;
    if (isSame || mayDo(collection, caller, 'read', () => JSON.parse(document.permissions))) yield document;
  }
}

/**
 * Yields the list's JSON in parts. First measures the list, yielding an empty part after every `MEASURED` documents so
 * that other requests can run. Throws 400 if the list is too long.
 */
function* longList(list: List, page: DocumentPage): Generator<Buffer> {
  let bytes = 0;
  for (let from = 0; from < page.rows.length && !list.caller.privileged; from += MEASURED) {
    bytes += page.bytes(from, from + MEASURED);
    if (bytes > MOST_BYTES) throw tooLong(`more than ${MOST_BYTES / 1024 / 1024} MiB`);
    yield EMPTY_PIECE;
  }
  for (const part of listParts(page.total, documentsOf(list, page), list.table.collection, list.dialect)) {
    yield Buffer.from(part);
  }
}

function shortList(list: List, page: DocumentPage): string | undefined {
  // Checks the size first, because building a list only to find it too long is expensive.
  if (page.rows.length > FEW && page.bytes(0, page.rows.length) > SHORT) return undefined;
  let json = '';
  for (const part of listParts(page.total, documentsOf(list, page), list.table.collection, list.dialect)) {
    json += part;
    if (json.length > SHORT && page.rows.length > 1) return undefined;
  }
  return json;
}

export function documentReadRoutes(service: DatabasesService): Route[] {
  const { store } = service.kernel;
  return [
    inBothDialects(
      `GET ${DOCUMENT}`,
      'documents.read',
      { ...DOCUMENT_PARAMS, queries: optional(queries(), []) },
      ({ params, caller, dialect }) => {
        const table = service.documents(params, caller);
        const { collection } = table;
        const query = params.queries.length > 0 ? parseQueries(params.queries, table.schema, PARSING) : undefined;
        const document = table.show(params.documentId, table.planFor(query?.select), (permissions) =>
          mayDo(collection, caller, 'read', () => JSON.parse(permissions)),
        );
        if (!document) throw AppwriteError.about('document_not_found', params.documentId);
        return { status: 200, json: documentJson(document, collection, dialect) };
      },
    ),
    inBothDialects(
      `GET ${DOCUMENTS}`,
      { scope: 'documents.read', takesOlderQueries: true },
      {
        ...DOCUMENTS_PARAMS,
        queries: optional(queries(), []),
        total: optional(boolean(), true),
        /** Maximum age of a response in seconds. Accepted but ignored, because responses are always fresh. */
        ttl: optional(range(0, A_DAY), 0),
      },
      ({ params, caller, dialect }) => {
        const table = service.documents(params, caller);
        const query = parseQueries(params.queries, table.schema, PARSING);
        const list = { service, table, caller, dialect };
        const plan = (searches?: Searches) => planPage(store, table, caller, query, params.total, searches);
        const planned = plan();
        const answer = (planned: PlannedPage, searches?: Searches): Answer => {
          // Plans again when this list's turn comes, because permissions and rows may have changed in the meantime.
          if (query.limit > SHORT_DOCUMENTS)
            return { status: 200, pieces: () => longList(list, plan(searches).read()) };
          const page = planned.read();
          const json = shortList(list, page);
          return json === undefined ? { status: 200, pieces: () => longList(list, page) } : { status: 200, json };
        };
        if (!planned.isBounded) return answer(planned);
        return searchInSlices(store, service.turns, caller, query).then(async (searches) => {
          await service.turns.take();
          return answer(plan(searches), searches);
        });
      },
    ),
  ].flat();
}
