import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { required, uid } from '../http/params.ts';
import type { Route } from '../http/route.ts';
import { indexOf } from './catalogue/catalogue.ts';
import type { Collection, Index } from './catalogue/model.ts';
import { DATABASES, inBothDialects } from './dialect.ts';
import { COLLECTION_PARAMS } from './documents/params.ts';
import { emitCollectionEvent, type StructureAction } from './events.ts';
import { addIndex, removeIndex } from './indexes/change.ts';
import { indexJson } from './indexes/json.ts';
import { INDEX_PARAMS, indexDefinition } from './indexes/params.ts';
import { listOf, QUERY_PARAMS } from './query/listing.ts';
import type { QuerySchema } from './query/schema.ts';
import type { DatabasesService } from './service.ts';

const INDEXES = '/databases/:databaseId/collections/:collectionId/indexes';
const ONE = { ...COLLECTION_PARAMS, key: required(uid()) };

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ['$id', { type: 'string', column: 'key' }],
    ['key', { type: 'string', column: 'key' }],
    ['type', { type: 'string', column: 'type' }],
    ['attributes', { type: 'string', column: 'attributes', array: true }],
    ['status', { type: 'string', column: "'available'" }],
    ['error', { type: 'string', column: "''" }],
  ]),
};

function find(collection: Collection, key: string): Index {
  const index = collection.indexes.find((other) => other.key === key);
  if (!index) throw AppwriteError.about('index_not_found', key);
  return index;
}

function emit(
  { kernel }: DatabasesService,
  caller: Caller,
  collection: Collection,
  index: Index,
  action: StructureAction,
): void {
  const body = indexJson(collection, index, DATABASES);
  emitCollectionEvent(kernel.events, caller, collection, [['indexes', index.key]], action, body);
}

function createRoute(service: DatabasesService): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'POST',
    path: INDEXES,
    scope: 'collections.write',
    params: { ...COLLECTION_PARAMS, ...INDEX_PARAMS },
    async handle({ params, caller, dialect }) {
      const { databaseId, collectionId, ...input } = params;
      const { collection, index } = await catalogue.change(() => {
        const collection = service.collection(databaseId, collectionId, caller);
        return { collection, index: addIndex(catalogue, collection, indexDefinition(input)) };
      });
      emit(service, caller, collection, index, 'create');
      return { status: 202, body: indexJson(collection, index, dialect) };
    },
  });
}

function listRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: INDEXES,
    scope: 'collections.read',
    params: { ...COLLECTION_PARAMS, ...QUERY_PARAMS },
    handle({ params, caller, dialect }) {
      const collection = service.collection(params.databaseId, params.collectionId, caller);
      const scope = { sql: 'collection = ?', values: [collection.sequence] };
      const source = { from: 'indexes', columns: '*', schema: SCHEMA, scope, noun: 'Index' };
      const { rows, total } = listOf(service.kernel.store, source, params);
      const indexes = rows.map((row) => indexJson(collection, indexOf(row), dialect));
      return { status: 200, body: { total, indexes } };
    },
  });
}

function getRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: `${INDEXES}/:key`,
    scope: 'collections.read',
    params: ONE,
    handle({ params, caller, dialect }) {
      const collection = service.collection(params.databaseId, params.collectionId, caller);
      return { status: 200, body: indexJson(collection, find(collection, params.key), dialect) };
    },
  });
}

function deleteRoute(service: DatabasesService): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'DELETE',
    path: `${INDEXES}/:key`,
    scope: 'collections.write',
    params: ONE,
    async handle({ params, caller }) {
      const { collection, index } = await catalogue.change(() => {
        const collection = service.collection(params.databaseId, params.collectionId, caller);
        const index = find(collection, params.key);
        removeIndex(catalogue, index);
        return { collection, index };
      });
      emit(service, caller, collection, index, 'delete');
      return { status: 204 };
    },
  });
}

export function indexRoutes(service: DatabasesService): Route[] {
  return [...createRoute(service), ...listRoute(service), ...getRoute(service), ...deleteRoute(service)];
}
