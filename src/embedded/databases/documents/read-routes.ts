/** GET one document, GET a list of them. */
import { AppwriteError } from '../../http/errors.ts';
import { boolean, optional, queries, range, required, uid } from '../../http/params.ts';
import type { Route } from '../../http/route.ts';
import { inBothDialects } from '../dialect.ts';
import { parseQueries } from '../query/parse.ts';
import type { DatabasesService } from '../service.ts';
import { documentBytes, listBytes } from './answer.ts';
import { planPage } from './list.ts';
import { PLACE, refuseTransaction, transactionId } from './params.ts';
import { mayDo } from './rights.ts';

const PARSING = { errorType: 'general_query_invalid', select: true } as const;
const A_DAY = 86_400;

function getRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: '/databases/:databaseId/collections/:collectionId/documents/:documentId',
    scope: 'documents.read',
    params: { ...PLACE, documentId: required(uid()), queries: optional(queries(), []), transactionId },
    handle({ params, caller, dialect }) {
      refuseTransaction(params.transactionId);
      const { documentId } = params;
      const table = service.documents(params.databaseId, params.collectionId, caller);
      const { collection } = table;
      const query = params.queries.length > 0 ? parseQueries(params.queries, table.schema, PARSING) : undefined;
      const document = table.show(documentId, table.planFor(query?.select));
      if (!document || !mayDo(collection, caller, 'read', () => JSON.parse(document.permissions))) {
        throw AppwriteError.about('document_not_found', documentId);
      }
      return { status: 200, bytes: [documentBytes(document, collection, dialect)] };
    },
  });
}

function listRoute(service: DatabasesService): Route[] {
  const services = { store: service.kernel.store, roles: service.roles };
  return inBothDialects({
    method: 'GET',
    path: '/databases/:databaseId/collections/:collectionId/documents',
    scope: 'documents.read',
    params: {
      ...PLACE,
      queries: optional(queries(), []),
      transactionId,
      /** False: do not count, answer 0. */
      total: optional(boolean(), true),
      /** How stale an answer may be, in seconds; ours never is. */
      ttl: optional(range(0, A_DAY), 0),
    },
    handle({ params, caller, dialect }) {
      refuseTransaction(params.transactionId);
      const table = service.documents(params.databaseId, params.collectionId, caller);
      const query = parseQueries(params.queries, table.schema, PARSING);
      const page = planPage(services, table, caller, query, params.total);
      // Everybody reads beginnings; a page from the middle is one step of somebody's walk.
      const key = query.cursor || query.offset > 0 ? undefined : `${dialect.documents} ${page.key}`;
      const kept = key && service.lists.get(key);
      if (kept) return { status: 200, bytes: [kept] };
      const { total, documents } = page.read();
      const bytes = listBytes(total, documents, table.collection, dialect);
      if (key) service.lists.offer(key, bytes);
      return { status: 200, bytes };
    },
  });
}

export function documentReadRoutes(service: DatabasesService): Route[] {
  return [...getRoute(service), ...listRoute(service)];
}
