import type { Caller } from '../caller.ts';
import { SCHEMA_BODY } from '../http/body.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, customId, list, object, optional, permissionList, required, text, uid } from '../http/params.ts';
import { created, NO_CONTENT, ok, type Route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import { CONTAINER_ACTIONS } from '../permissions.ts';
import { addAttribute } from './attributes/change.ts';
import { defineAttribute, ROW_BYTES, rowBytes } from './attributes/definition.ts';
import { attributeJson } from './attributes/json.ts';
import { readInlineAttribute } from './attributes/params.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { COLLECTION_TABLE, type Collection } from './catalogue/model.ts';
import { DATABASES, type Dialect, inBothDialects } from './dialect.ts';
import { COLLECTION_PARAMS } from './documents/params.ts';
import { createTables, dropTables } from './documents/sqlite/layout.ts';
import { addIndex, indexJson } from './indexes/change.ts';
import { readInlineIndex } from './indexes/params.ts';
import { LIST_PARAMS, listAnswer } from './query/listing.ts';
import { internalFields, type QuerySchema } from './query/schema.ts';
import type { DatabasesService } from './service.ts';

const COLLECTIONS = '/databases/:databaseId/collections';
const COLLECTION = `${COLLECTIONS}/:collectionId` as const;
const permissions = permissionList({ actions: CONTAINER_ACTIONS });

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created', updatedAt: 'updated' }),
    ['name', { type: 'string', column: 'name' }],
    ['enabled', { type: 'boolean', column: 'enabled' }],
    ['documentSecurity', { type: 'boolean', column: 'document_security' }],
    ['rowSecurity', { type: 'boolean', column: 'document_security' }],
  ]),
};

/** Removes a collection with its contents. Call within `Catalogue.change`. */
export function removeCollection({ store }: Catalogue, collection: Collection): void {
  const { sequence } = collection;
  store.database.exec(dropTables(collection));
  for (const table of ['indexes', 'attributes']) {
    store.prepare(`DELETE FROM ${table} WHERE collection = ?`).run(sequence);
  }
  COLLECTION_TABLE.delete(store, { sequence });
}

function collectionJson(collection: Collection, dialect: Dialect): Record<string, unknown> {
  return {
    $id: collection.id,
    $createdAt: collection.created,
    $updatedAt: collection.updated,
    $permissions: collection.permissions,
    databaseId: collection.database.id,
    name: collection.name,
    enabled: collection.enabled,
    [dialect.documentSecurity]: collection.documentSecurity,
    [dialect.attributes]: collection.attributes.map(attributeJson),
    indexes: collection.indexes.map((index) => indexJson(collection, index, dialect)),
    bytesMax: ROW_BYTES,
    bytesUsed: rowBytes(collection.attributes),
  };
}

export function collectionRoutes(service: DatabasesService): Route[] {
  const { catalogue } = service;
  const { store } = catalogue;

  function tell(caller: Caller, action: 'create' | 'update' | 'delete', collection: Collection): void {
    const { database, id } = collection;
    service.tell(caller, action, database, [['collections', id]], collectionJson(collection, DATABASES));
  }

  return [
    inBothDialects(
      `POST ${COLLECTIONS}`,
      { scope: 'collections.write', largestBody: SCHEMA_BODY },
      {
        databaseId: required(uid()),
        collectionId: required(customId()),
        name: required(text(128)),
        permissions: optional(permissions, []),
        documentSecurity: optional(boolean(), false),
        enabled: optional(boolean(), true),
        attributes: optional(list(object()), []),
        indexes: optional(list(object()), []),
      },
      async ({ params, caller, dialect }) => {
        const { collectionId: id, name, documentSecurity, enabled, permissions } = params;
        const attributes = params.attributes.map((raw) => defineAttribute(readInlineAttribute(raw, caller)));
        const indexes = params.indexes.map((raw) => readInlineIndex(raw, caller));
        const collection = await catalogue.change(() => {
          const database = service.database(params.databaseId, caller);
          if (catalogue.collection(database, id)) throw AppwriteError.about('collection_already_exists', id);
          const moment = now();
          const settings = { id, name, documentSecurity, enabled, permissions };
          const row = { database: database.sequence, created: moment, updated: moment, ...settings };
          store.database.exec(createTables(COLLECTION_TABLE.insert(store, row)));
          const current = () => catalogue.reread({ database, id });
          for (const attribute of attributes) addAttribute(catalogue, current(), attribute);
          for (const index of indexes) addIndex(catalogue, current(), index);
          return current();
        });
        tell(caller, 'create', collection);
        return created(collectionJson(collection, dialect));
      },
    ),
    inBothDialects(
      `GET ${COLLECTIONS}`,
      'collections.read',
      { databaseId: required(uid()), ...LIST_PARAMS },
      ({ params, caller, dialect }) => {
        const database = service.database(params.databaseId, caller);
        const scope = { sql: 'database = ?', values: [database.sequence] };
        const noun = dialect.collections === 'tables' ? 'Table' : 'Collection';
        const source = { from: 'collections', columns: '*', schema: SCHEMA, scope, noun };
        return listAnswer(store, source, params, dialect.collections, (row) =>
          collectionJson(catalogue.read(database, row), dialect),
        );
      },
    ),
    inBothDialects(`GET ${COLLECTION}`, 'collections.read', COLLECTION_PARAMS, ({ params, caller, dialect }) =>
      ok(collectionJson(service.collection(params, caller), dialect)),
    ),
    inBothDialects(
      `PUT ${COLLECTION}`,
      'collections.write',
      {
        ...COLLECTION_PARAMS,
        name: optional(text(128), undefined),
        permissions: optional(permissions, undefined),
        documentSecurity: optional(boolean(), false),
        enabled: optional(boolean(), true),
        purge: optional(boolean(), false),
      },
      async ({ params, caller, dialect }) => {
        const { documentSecurity, enabled } = params;
        const collection = await catalogue.change(() => {
          const old = service.collection(params, caller);
          const { name = old.name, permissions = old.permissions } = params;
          const changes = { updated: now(), name, enabled, documentSecurity, permissions };
          COLLECTION_TABLE.update(store, { sequence: old.sequence }, changes);
          return catalogue.reread(old);
        });
        tell(caller, 'update', collection);
        return ok(collectionJson(collection, dialect));
      },
    ),
    inBothDialects(`DELETE ${COLLECTION}`, 'collections.write', COLLECTION_PARAMS, async ({ params, caller }) => {
      const collection = await catalogue.change(() => {
        const found = service.collection(params, caller);
        removeCollection(catalogue, found);
        return found;
      });
      tell(caller, 'delete', collection);
      return NO_CONTENT;
    }),
  ].flat();
}
