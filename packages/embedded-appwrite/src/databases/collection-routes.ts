import type { Caller } from '../caller.ts';
import { SCHEMA_BODY } from '../http/body.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, customId, list, object, optional, permissionList, required, text, uid } from '../http/params.ts';
import type { Route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import { CONTAINER_ACTIONS } from '../permissions.ts';
import { addAttribute, reread } from './attributes/change.ts';
import { defineAttribute, ROW_BYTES, rowBytes } from './attributes/definition.ts';
import { attributeJson } from './attributes/json.ts';
import { readInlineAttribute } from './attributes/params.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Collection } from './catalogue/model.ts';
import { DATABASES, type Dialect, inBothDialects } from './dialect.ts';
import { COLLECTION_PARAMS } from './documents/params.ts';
import { createTables, dropTables } from './documents/sqlite/layout.ts';
import { emitCollectionEvent, type StructureAction } from './events.ts';
import { addIndex } from './indexes/change.ts';
import { indexJson } from './indexes/json.ts';
import { readInlineIndex } from './indexes/params.ts';
import { LIST_PARAMS, listOf } from './query/listing.ts';
import { internalFields, type QuerySchema } from './query/schema.ts';
import type { DatabasesService } from './service.ts';

const COLLECTIONS = '/databases/:databaseId/collections';
const COLLECTION = `${COLLECTIONS}/:collectionId`;
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

function emit({ kernel }: DatabasesService, caller: Caller, collection: Collection, action: StructureAction): void {
  emitCollectionEvent(kernel.events, caller, collection, [], action, collectionJson(collection, DATABASES));
}

function createRoute(service: DatabasesService): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'POST',
    path: COLLECTIONS,
    scope: 'collections.write',
    largestBody: SCHEMA_BODY,
    params: {
      databaseId: required(uid()),
      collectionId: required(customId()),
      name: required(text(128)),
      permissions: optional(permissions, []),
      documentSecurity: optional(boolean(), false),
      enabled: optional(boolean(), true),
      attributes: optional(list(object()), []),
      indexes: optional(list(object()), []),
    },
    async handle({ params, caller, dialect }) {
      const { collectionId: id, name, documentSecurity, enabled } = params;
      const attributes = params.attributes.map((raw) => defineAttribute(readInlineAttribute(raw, caller)));
      const indexes = params.indexes.map((raw) => readInlineIndex(raw, caller));
      const collection = await catalogue.change(() => {
        const database = service.database(params.databaseId, caller);
        if (catalogue.collection(database, id)) throw AppwriteError.about('collection_already_exists', id);
        const moment = now();
        const { lastInsertRowid } = catalogue.store
          .prepare(
            `INSERT INTO collections (database, id, created, updated, name, enabled, document_security, permissions)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            database.sequence,
            id,
            moment,
            moment,
            name,
            Number(enabled),
            Number(documentSecurity),
            JSON.stringify(params.permissions),
          );
        catalogue.store.database.exec(createTables(Number(lastInsertRowid)));
        const current = () => catalogue.collection(database, id) as Collection;
        catalogue.forget();
        for (const attribute of attributes) addAttribute(catalogue, current(), attribute);
        for (const index of indexes) addIndex(catalogue, current(), index);
        return reread(catalogue, current());
      });
      emit(service, caller, collection, 'create');
      return { status: 201, body: collectionJson(collection, dialect) };
    },
  });
}

function listRoute(service: DatabasesService): Route[] {
  const { catalogue, kernel } = service;
  return inBothDialects({
    method: 'GET',
    path: COLLECTIONS,
    scope: 'collections.read',
    params: { databaseId: required(uid()), ...LIST_PARAMS },
    handle({ params, caller, dialect }) {
      const database = service.database(params.databaseId, caller);
      const scope = { sql: 'database = ?', values: [database.sequence] };
      const noun = dialect.collections === 'tables' ? 'Table' : 'Collection';
      const source = { from: 'collections', columns: '*', schema: SCHEMA, scope, noun };
      const { rows, total } = listOf(kernel.store, source, params);
      const collections = rows.map((row) => collectionJson(catalogue.read(database, row), dialect));
      return { status: 200, body: { total, [dialect.collections]: collections } };
    },
  });
}

function getRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: COLLECTION,
    scope: 'collections.read',
    params: COLLECTION_PARAMS,
    handle({ params, caller, dialect }) {
      const collection = service.collection(params.databaseId, params.collectionId, caller);
      return { status: 200, body: collectionJson(collection, dialect) };
    },
  });
}

function updateRoute(service: DatabasesService): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'PUT',
    path: COLLECTION,
    scope: 'collections.write',
    params: {
      ...COLLECTION_PARAMS,
      name: optional(text(128), undefined),
      permissions: optional(permissions, undefined),
      documentSecurity: optional(boolean(), false),
      enabled: optional(boolean(), true),
      purge: optional(boolean(), false),
    },
    async handle({ params, caller, dialect }) {
      const collection = await catalogue.change(() => {
        const old = service.collection(params.databaseId, params.collectionId, caller);
        catalogue.store
          .prepare(
            `UPDATE collections SET updated = ?, name = ?, enabled = ?, document_security = ?, permissions = ?
             WHERE sequence = ?`,
          )
          .run(
            now(),
            params.name ?? old.name,
            Number(params.enabled),
            Number(params.documentSecurity),
            JSON.stringify(params.permissions ?? old.permissions),
            old.sequence,
          );
        return reread(catalogue, old);
      });
      emit(service, caller, collection, 'update');
      return { status: 200, body: collectionJson(collection, dialect) };
    },
  });
}

function deleteRoute(service: DatabasesService): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'DELETE',
    path: COLLECTION,
    scope: 'collections.write',
    params: COLLECTION_PARAMS,
    async handle({ params, caller }) {
      const collection = await catalogue.change(() => {
        const found = service.collection(params.databaseId, params.collectionId, caller);
        removeCollection(catalogue, found);
        return found;
      });
      emit(service, caller, collection, 'delete');
      return { status: 204 };
    },
  });
}

/** Removes a collection with its contents. Call within `Catalogue.change`. */
export function removeCollection({ store }: Catalogue, collection: Collection): void {
  store.database.exec(dropTables(collection));
  for (const table of ['indexes', 'attributes']) {
    store.prepare(`DELETE FROM ${table} WHERE collection = ?`).run(collection.sequence);
  }
  store.prepare('DELETE FROM collections WHERE sequence = ?').run(collection.sequence);
}

export function collectionRoutes(service: DatabasesService): Route[] {
  return [
    ...createRoute(service),
    ...listRoute(service),
    ...getRoute(service),
    ...updateRoute(service),
    ...deleteRoute(service),
  ];
}

function collectionJson(collection: Collection, dialect: Dialect): Record<string, unknown> {
  return {
    $id: collection.id,
    $createdAt: collection.createdAt,
    $updatedAt: collection.updatedAt,
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
