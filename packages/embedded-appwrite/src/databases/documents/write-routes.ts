import type { Caller } from '../../caller.ts';
import { BODY_LIMIT } from '../../http/body.ts';
import { AppwriteError } from '../../http/errors.ts';
import { customId, list, object, optional, required, text, uid, validator } from '../../http/params.ts';
import type { Route } from '../../http/route.ts';
import type { Store } from '../../sqlite/store.ts';
import { inBothDialects } from '../dialect.ts';
import type { DatabasesService } from '../service.ts';
import { createInBulk } from './bulk.ts';
import { type Change, type Changed, createDocument, deleteDocument, patchDocument, upsertDocument } from './change.ts';
import { answerChange, type Committed } from './emit.ts';
import { incrementDocument } from './increment.ts';
import {
  COLLECTION_PARAMS,
  DELETE_LIMITS,
  data,
  permissions,
  refuseTransaction,
  transactionId,
  unmodifiedSince,
  WRITE_LIMITS,
} from './params.ts';
import type { DocumentTable } from './sqlite/table.ts';

const COLLECTION = '/databases/:databaseId/collections/:collectionId/documents';
const DOCUMENT = `${COLLECTION}/:documentId`;
const MOST_IN_BULK = 100;

interface CollectionPath {
  readonly databaseId: string;
  readonly collectionId: string;
}

/** Runs `work` on the collection's documents in a write, which also checks existence and permissions. */
function writing(
  service: DatabasesService,
  { databaseId, collectionId }: CollectionPath,
  caller: Caller,
  work: (table: DocumentTable) => Changed,
  write: Store['write'] = service.kernel.store.write,
): Promise<Committed> {
  return write(() => {
    const table = service.documents(databaseId, collectionId, caller);
    return { table, ...work(table) };
  });
}

function requirePayload(change: Pick<Change, 'data' | 'permissions'>): void {
  if (Object.keys(change.data).length === 0 && change.permissions === undefined) {
    throw new AppwriteError('document_missing_payload');
  }
}

function createRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'POST',
    path: COLLECTION,
    scope: 'documents.write',
    largestBody: BODY_LIMIT,
    limits: WRITE_LIMITS,
    params: {
      ...COLLECTION_PARAMS,
      documentId: optional(customId(), ''),
      data,
      permissions,
      documents: optional(list(object(), MOST_IN_BULK), []),
      transactionId,
    },
    async handle(context) {
      const { params, caller, dialect } = context;
      refuseTransaction(params.transactionId);
      const id = params.documentId;
      if (params.documents.length > 0) return createInBulk(service, context);
      if (Object.keys(params.data).length === 0) throw new AppwriteError('document_missing_data');
      if (id === '') {
        const noun = dialect.documents === 'rows' ? 'Row' : 'Document';
        throw new AppwriteError(
          'document_missing_data',
          `${noun} ID is required when creating a single ${noun.toLowerCase()}.`,
        );
      }
      const { data, permissions } = params;
      const committed = await writing(service, params, caller, (table) =>
        createDocument({ table, caller, id, data, permissions }),
      );
      return answerChange(service, context, committed, 'create');
    },
  });
}

function patchRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'PATCH',
    path: DOCUMENT,
    scope: 'documents.write',
    largestBody: BODY_LIMIT,
    limits: WRITE_LIMITS,
    params: { ...COLLECTION_PARAMS, documentId: required(uid()), data, permissions, transactionId },
    async handle(context) {
      const { params, caller, request } = context;
      refuseTransaction(params.transactionId);
      requirePayload(params);
      const { documentId: id, data, permissions } = params;
      const change = { caller, id, data, permissions, unmodifiedSince: unmodifiedSince(request) };
      const committed = await writing(service, params, caller, (table) => patchDocument({ ...change, table }));
      return answerChange(service, context, committed, 'update');
    },
  });
}

function upsertRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'PUT',
    path: DOCUMENT,
    scope: 'documents.write',
    largestBody: BODY_LIMIT,
    limits: WRITE_LIMITS,
    params: { ...COLLECTION_PARAMS, documentId: required(customId()), data, permissions, transactionId },
    async handle(context) {
      const { params, caller, request } = context;
      refuseTransaction(params.transactionId);
      requirePayload(params);
      const { documentId: id, data, permissions } = params;
      const change = { caller, id, data, permissions, unmodifiedSince: unmodifiedSince(request) };
      const committed = await writing(service, params, caller, (table) => upsertDocument({ ...change, table }));
      return answerChange(service, context, committed, 'upsert');
    },
  });
}

function deleteRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'DELETE',
    path: DOCUMENT,
    scope: 'documents.write',
    limits: DELETE_LIMITS,
    params: { ...COLLECTION_PARAMS, documentId: required(uid()), transactionId },
    async handle(context) {
      const { params, caller, request } = context;
      refuseTransaction(params.transactionId);
      const change = {
        caller,
        id: params.documentId,
        data: {},
        permissions: undefined,
        unmodifiedSince: unmodifiedSince(request),
      };
      const remove = (table: DocumentTable) => deleteDocument({ ...change, table });
      const committed = await writing(service, params, caller, remove, service.kernel.store.writeThoughFull);
      return answerChange(service, context, committed, 'delete');
    },
  });
}

const number = () =>
  validator('Value must be a valid number', (raw) =>
    typeof raw === 'bigint' || (typeof raw === 'number' && Number.isFinite(raw)) ? raw : undefined,
  );
const positive = () =>
  validator('Value must be numeric and greater than 0', (raw) =>
    (typeof raw === 'bigint' || (typeof raw === 'number' && Number.isFinite(raw))) && raw > 0 ? raw : undefined,
  );

function stepRoute(service: DatabasesService, direction: 'increment' | 'decrement'): Route[] {
  const bound = direction === 'increment' ? 'max' : 'min';
  return inBothDialects({
    method: 'PATCH',
    path: `${DOCUMENT}/:attribute/${direction}`,
    scope: 'documents.write',
    limits: WRITE_LIMITS,
    params: {
      ...COLLECTION_PARAMS,
      documentId: required(uid()),
      attribute: required(text(36)),
      value: optional(positive(), 1),
      [bound]: optional(number(), undefined),
      transactionId,
    },
    async handle(context) {
      const { caller, request } = context;
      const params = context.params as unknown as CollectionPath & {
        documentId: string;
        attribute: string;
        value: number | bigint;
        max?: number | bigint;
        min?: number | bigint;
        transactionId: string;
      };
      refuseTransaction(params.transactionId);
      const { attribute, value } = params;
      const step = { attribute, by: direction === 'increment' ? value : -value, limit: params[bound] };
      const change = { caller, id: params.documentId, unmodifiedSince: unmodifiedSince(request) };
      const committed = await writing(service, params, caller, (table) =>
        incrementDocument({ ...change, table }, step),
      );
      return answerChange(service, context, committed, 'update');
    },
  });
}

export function documentWriteRoutes(service: DatabasesService): Route[] {
  return [
    ...createRoute(service),
    ...patchRoute(service),
    ...upsertRoute(service),
    ...deleteRoute(service),
    ...stepRoute(service, 'increment'),
    ...stepRoute(service, 'decrement'),
  ];
}
