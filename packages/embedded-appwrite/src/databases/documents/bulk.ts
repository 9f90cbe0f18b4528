/** Bulk routes for server keys: each request writes many documents, all or none. */

import type { Caller } from '../../caller.ts';
import { BODY_LIMIT, SCHEMA_BODY } from '../../http/body.ts';
import { AppwriteError } from '../../http/errors.ts';
import { customId, isInvalid, list, object, optional, permissionList, queries, required } from '../../http/params.ts';
import type { Answer, Route } from '../../http/route.ts';
import { uniqueId } from '../../identifiers.ts';
import { RESOURCE_ACTIONS } from '../../permissions.ts';
import { type Dialect, inBothDialects } from '../dialect.ts';
import type { DocumentEvent } from '../events.ts';
import { parseQueries } from '../query/parse.ts';
import type { CollectionPath, DatabasesService } from '../service.ts';
import { type Change, type Changed, createDocument, deleteDocument, patchDocument, upsertDocument } from './change.ts';
import { answerChanges } from './emit.ts';
import { matchingIds } from './list.ts';
import { DELETE_LIMITS, DOCUMENTS, DOCUMENTS_PARAMS, data, permissions, WRITE_LIMITS } from './params.ts';
import type { DocumentTable } from './sqlite/table.ts';
import type { Data } from './structure.ts';

export const MOST_IN_BULK = 100;
/** Unlike a list, a bulk request without a limit affects all matching documents. */
const PARSING = { errorType: 'general_query_invalid', limit: Number.MAX_SAFE_INTEGER } as const;
const WRITING = { scope: 'documents.write', limits: WRITE_LIMITS, largestBody: BODY_LIMIT };

interface BulkContext {
  readonly params: CollectionPath;
  readonly caller: Caller;
  readonly dialect: Dialect;
}

async function changing(
  service: DatabasesService,
  { params, caller, dialect }: BulkContext,
  action: DocumentEvent['action'],
  work: (table: DocumentTable) => Changed[],
): Promise<Answer> {
  if (!caller.privileged) {
    throw new AppwriteError('general_unauthorized_scope', 'Changes in bulk are for server keys only.');
  }
  const { store } = service.kernel;
  const write = action === 'delete' ? store.writeThoughFull : store.write;
  const { table, changes } = await write(() => {
    const table = service.documents(params, caller);
    return { table, changes: work(table) };
  });
  return answerChanges(service, { caller, dialect }, table, changes, action);
}

function entry(raw: Data, caller: Caller): Pick<Change, 'id' | 'data' | 'permissions'> {
  try {
    const { $id, $permissions } = raw;
    const isGranted = $permissions !== undefined && $permissions !== null;
    return {
      id: customId().read($id ?? uniqueId(), caller),
      data: raw,
      permissions: isGranted ? permissionList({ actions: RESOURCE_ACTIONS }).read($permissions, caller) : undefined,
    };
  } catch (error) {
    if (!isInvalid(error)) throw error;
    throw new AppwriteError('general_argument_invalid', `Invalid \`documents\` param: ${error.message}`);
  }
}

function changeEach(
  service: DatabasesService,
  context: BulkContext & { readonly params: { readonly documents: readonly Data[] } },
  change: (change: Change) => Changed,
  action: 'create' | 'upsert',
): Promise<Answer> {
  const { params, caller } = context;
  return changing(service, context, action, (table) =>
    params.documents.map((raw) => entry(raw, caller)).map((each) => change({ ...each, table, caller })),
  );
}

export const createInBulk = (service: DatabasesService, context: Parameters<typeof changeEach>[1]): Promise<Answer> =>
  changeEach(service, context, createDocument, 'create');

export function documentBulkRoutes(service: DatabasesService): Route[] {
  const targets = (table: DocumentTable, raw: readonly string[]): string[] =>
    matchingIds(service.kernel.store, table, parseQueries(raw, table.schema, PARSING));

  return [
    inBothDialects(
      `PUT ${DOCUMENTS}`,
      WRITING,
      { ...DOCUMENTS_PARAMS, documents: required(list(object(), MOST_IN_BULK)) },
      (context) => changeEach(service, context, upsertDocument, 'upsert'),
    ),
    inBothDialects(
      `PATCH ${DOCUMENTS}`,
      WRITING,
      { ...DOCUMENTS_PARAMS, data, permissions, queries: optional(queries(), []) },
      (context) => {
        const { params, caller } = context;
        const { data, permissions } = params;
        return changing(service, context, 'update', (table) => {
          if (Object.keys(data).length === 0 && !permissions) throw new AppwriteError('document_missing_payload');
          return targets(table, params.queries).map((id) => patchDocument({ table, caller, id, data, permissions }));
        });
      },
    ),
    inBothDialects(
      `DELETE ${DOCUMENTS}`,
      { scope: 'documents.write', limits: DELETE_LIMITS, largestBody: SCHEMA_BODY },
      { ...DOCUMENTS_PARAMS, queries: optional(queries(), []) },
      (context) => {
        const change = { caller: context.caller, data: {}, permissions: undefined };
        return changing(service, context, 'delete', (table) =>
          targets(table, context.params.queries).map((id) => deleteDocument({ ...change, table, id })),
        );
      },
    ),
  ].flat();
}
