/** Writes many documents in one request, all or none; for keys only. */

import type { Caller } from '../../caller.ts';
import { BODY_LIMIT, SCHEMA_BODY } from '../../http/body.ts';
import { AppwriteError } from '../../http/errors.ts';
import { customId, list, object, optional, ParamFault, permissionList, queries, required } from '../../http/params.ts';
import type { Answer, Route } from '../../http/route.ts';
import { uniqueId } from '../../identifiers.ts';
import { RESOURCE_ACTIONS } from '../../permissions.ts';
import { type Dialect, inBothDialects } from '../dialect.ts';
import { parseQueries } from '../query/parse.ts';
import type { DatabasesService } from '../service.ts';
import { type Change, type Changed, createDocument, deleteDocument, patchDocument, upsertDocument } from './change.ts';
import { answerChanges } from './emit.ts';
import { matchingIds } from './list.ts';
import {
  COLLECTION_PARAMS,
  DELETE_LIMITS,
  data,
  permissions,
  refuseTransaction,
  transactionId,
  WRITE_LIMITS,
} from './params.ts';
import type { DocumentTable } from './sqlite/table.ts';
import type { Data } from './structure.ts';

const COLLECTION = '/databases/:databaseId/collections/:collectionId/documents';
const MOST = 100;
/** A bulk request affects all matching documents, unless it sets a limit. */
const PARSING = { errorType: 'general_query_invalid', limit: Number.MAX_SAFE_INTEGER } as const;

interface BulkContext {
  readonly params: { databaseId: string; collectionId: string; documents: Record<string, unknown>[] };
  readonly caller: Caller;
  readonly dialect: Dialect;
}

function requireKey(caller: Caller): void {
  if (caller.privileged) return;
  throw new AppwriteError('general_unauthorized_scope', 'Changes in bulk are for server keys only.');
}

/** Reads one entry of `documents`: `$id`, `$permissions` and the attributes. Throws 400 for invalid ones. */
function entry(raw: Data, caller: Caller): Pick<Change, 'id' | 'data' | 'permissions'> {
  try {
    const { $id, $permissions } = raw;
    const id = $id === undefined || $id === null ? uniqueId() : customId().read($id, caller);
    const permissions =
      $permissions === undefined || $permissions === null
        ? undefined
        : permissionList({ actions: RESOURCE_ACTIONS }).read($permissions, caller);
    return { id, data: raw, permissions };
  } catch (error) {
    if (!(error instanceof ParamFault)) throw error;
    throw new AppwriteError('general_argument_invalid', `Invalid \`documents\` param: ${error.message}`);
  }
}

async function changeEach(
  service: DatabasesService,
  { params, caller, dialect }: BulkContext,
  change: (change: Change) => Changed,
  action: 'create' | 'upsert',
): Promise<Answer> {
  requireKey(caller);
  const entries = params.documents.map((raw) => entry(raw, caller));
  const { table, changes } = await service.kernel.store.write(() => {
    const table = service.documents(params.databaseId, params.collectionId, caller);
    return { table, changes: entries.map((each) => change({ ...each, table, caller })) };
  });
  return answerChanges(service, { caller, dialect }, table, changes, action);
}

/** Answers 201 with all documents, or adds none. */
export function createInBulk(service: DatabasesService, context: BulkContext): Promise<Answer> {
  return changeEach(service, context, createDocument, 'create');
}

function upsertRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'PUT',
    path: COLLECTION,
    scope: 'documents.write',
    largestBody: BODY_LIMIT,
    limits: WRITE_LIMITS,
    params: { ...COLLECTION_PARAMS, documents: required(list(object(), MOST)), transactionId },
    handle(context) {
      refuseTransaction(context.params.transactionId);
      return changeEach(service, context, upsertDocument, 'upsert');
    },
  });
}

function targets(service: DatabasesService, table: DocumentTable, raw: readonly string[]): string[] {
  return matchingIds(service.kernel.store, table, parseQueries(raw, table.schema, PARSING));
}

function patchRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'PATCH',
    path: COLLECTION,
    scope: 'documents.write',
    largestBody: BODY_LIMIT,
    limits: WRITE_LIMITS,
    params: { ...COLLECTION_PARAMS, data, permissions, queries: optional(queries(), []), transactionId },
    async handle({ params, caller, dialect }) {
      refuseTransaction(params.transactionId);
      requireKey(caller);
      const { data, permissions } = params;
      if (Object.keys(data).length === 0 && !permissions) throw new AppwriteError('document_missing_payload');
      const { table, changes } = await service.kernel.store.write(() => {
        const table = service.documents(params.databaseId, params.collectionId, caller);
        const ids = targets(service, table, params.queries);
        return { table, changes: ids.map((id) => patchDocument({ table, caller, id, data, permissions })) };
      });
      return answerChanges(service, { caller, dialect }, table, changes, 'update');
    },
  });
}

function deleteRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'DELETE',
    path: COLLECTION,
    scope: 'documents.write',
    largestBody: SCHEMA_BODY,
    limits: DELETE_LIMITS,
    params: { ...COLLECTION_PARAMS, queries: optional(queries(), []), transactionId },
    async handle({ params, caller, dialect }) {
      refuseTransaction(params.transactionId);
      requireKey(caller);
      const { table, changes } = await service.kernel.store.writeThoughFull(() => {
        const table = service.documents(params.databaseId, params.collectionId, caller);
        const ids = targets(service, table, params.queries);
        const each = (id: string) => deleteDocument({ table, caller, id, data: {}, permissions: undefined });
        return { table, changes: ids.map(each) };
      });
      return answerChanges(service, { caller, dialect }, table, changes, 'delete');
    },
  });
}

export function documentBulkRoutes(service: DatabasesService): Route[] {
  return [...upsertRoute(service), ...patchRoute(service), ...deleteRoute(service)];
}
