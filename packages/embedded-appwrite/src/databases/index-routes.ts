import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { required, uid } from '../http/params.ts';
import { NO_CONTENT, ok, type Route } from '../http/route.ts';
import { type Collection, INDEX_TABLE, type Index } from './catalogue/model.ts';
import { DATABASES, inBothDialects } from './dialect.ts';
import { COLLECTION_PARAMS } from './documents/params.ts';
import { addIndex, indexJson, removeIndex } from './indexes/change.ts';
import { INDEX_PARAMS, indexDefinition } from './indexes/params.ts';
import { listAnswer, QUERY_PARAMS } from './query/listing.ts';
import type { QuerySchema } from './query/schema.ts';
import type { CollectionPath, DatabasesService } from './service.ts';

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

export function indexRoutes(service: DatabasesService): Route[] {
  const { catalogue } = service;

  async function change(
    params: CollectionPath,
    caller: Caller,
    action: 'create' | 'delete',
    work: (collection: Collection) => Index,
  ): Promise<{ collection: Collection; index: Index }> {
    const changed = await catalogue.change(() => {
      const collection = service.collection(params, caller);
      return { collection, index: work(collection) };
    });
    const { collection, index } = changed;
    const below = [['collections', collection.id] as const, ['indexes', index.key] as const];
    service.tell(caller, action, collection.database, below, indexJson(collection, index, DATABASES));
    return changed;
  }

  return [
    inBothDialects(
      `POST ${INDEXES}`,
      'collections.write',
      { ...COLLECTION_PARAMS, ...INDEX_PARAMS },
      async ({ params, caller, dialect }) => {
        const add = (collection: Collection) => addIndex(catalogue, collection, indexDefinition(params));
        const { collection, index } = await change(params, caller, 'create', add);
        return { status: 202, body: indexJson(collection, index, dialect) };
      },
    ),
    inBothDialects(
      `GET ${INDEXES}`,
      'collections.read',
      { ...COLLECTION_PARAMS, ...QUERY_PARAMS },
      ({ params, caller, dialect }) => {
        const collection = service.collection(params, caller);
        const scope = { sql: 'collection = ?', values: [collection.sequence] };
        const source = { from: 'indexes', columns: '*', schema: SCHEMA, scope, noun: 'Index' };
        return listAnswer(catalogue.store, source, params, 'indexes', (row) =>
          indexJson(collection, INDEX_TABLE.fromRow(row), dialect),
        );
      },
    ),
    inBothDialects(`GET ${INDEXES}/:key`, 'collections.read', ONE, ({ params, caller, dialect }) => {
      const collection = service.collection(params, caller);
      return ok(indexJson(collection, find(collection, params.key), dialect));
    }),
    inBothDialects(`DELETE ${INDEXES}/:key`, 'collections.write', ONE, async ({ params, caller }) => {
      await change(params, caller, 'delete', (collection) => {
        const index = find(collection, params.key);
        removeIndex(catalogue, index);
        return index;
      });
      return NO_CONTENT;
    }),
  ].flat();
}
