import { AppwriteError } from '../http/errors.ts';
import { boolean, customId, optional, required, text, uid } from '../http/params.ts';
import type { Route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import { databaseOf } from './catalogue/catalogue.ts';
import type { Database } from './catalogue/model.ts';
import { removeCollection } from './collection-routes.ts';
import { inBothDialects } from './dialect.ts';
import { emitStructureEvent } from './events.ts';
import { LIST_PARAMS, listOf } from './query/listing.ts';
import { internalFields, type QuerySchema } from './query/schema.ts';
import type { DatabasesService } from './service.ts';

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created', updatedAt: 'updated' }),
    ['name', { type: 'string', column: 'name' }],
  ]),
};

function databaseJson({ id, name, createdAt, updatedAt, enabled, type }: Database): Record<string, unknown> {
  return { $id: id, name, $createdAt: createdAt, $updatedAt: updatedAt, enabled, type };
}

function createRoute({ catalogue, kernel }: DatabasesService): Route[] {
  return inBothDialects({
    method: 'POST',
    path: '/databases',
    scope: 'databases.write',
    params: { databaseId: required(customId()), name: required(text(128)), enabled: optional(boolean(), true) },
    async handle({ params, caller, dialect }) {
      const { databaseId: id, name, enabled } = params;
      const type = dialect.name === 'tablesdb' ? 'tablesdb' : 'legacy';
      const database = await catalogue.change(() => {
        if (catalogue.database(id)) throw AppwriteError.about('database_already_exists', id);
        const moment = now();
        catalogue.store
          .prepare('INSERT INTO databases (id, created, updated, name, enabled, type) VALUES (?, ?, ?, ?, ?, ?)')
          .run(id, moment, moment, name, Number(enabled), type);
        catalogue.forget();
        return catalogue.database(id) as Database;
      });
      const body = databaseJson(database);
      emitStructureEvent(kernel.events, caller, [['databases', id]], 'create', type, body);
      return { status: 201, body };
    },
  });
}

function listRoute({ kernel }: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: '/databases',
    scope: 'databases.read',
    params: LIST_PARAMS,
    handle({ params }) {
      const source = { from: 'databases', columns: '*', schema: SCHEMA, noun: 'Database' };
      const { rows, total } = listOf(kernel.store, source, params);
      return { status: 200, body: { total, databases: rows.map((row) => databaseJson(databaseOf(row))) } };
    },
  });
}

function getRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: '/databases/:databaseId',
    scope: 'databases.read',
    params: { databaseId: required(uid()) },
    handle: ({ params, caller }) => ({
      status: 200,
      body: databaseJson(service.database(params.databaseId, caller)),
    }),
  });
}

function updateRoute(service: DatabasesService): Route[] {
  const { catalogue, kernel } = service;
  return inBothDialects({
    method: 'PUT',
    path: '/databases/:databaseId',
    scope: 'databases.write',
    params: {
      databaseId: required(uid()),
      name: optional(text(128), undefined),
      enabled: optional(boolean(), true),
    },
    async handle({ params, caller }) {
      const { databaseId: id, name, enabled } = params;
      const database = await catalogue.change(() => {
        const old = service.database(id, caller);
        catalogue.store
          .prepare('UPDATE databases SET updated = ?, name = ?, enabled = ? WHERE sequence = ?')
          .run(now(), name ?? old.name, Number(enabled), old.sequence);
        catalogue.forget();
        return catalogue.database(id) as Database;
      });
      const body = databaseJson(database);
      emitStructureEvent(kernel.events, caller, [['databases', id]], 'update', database.type, body);
      return { status: 200, body };
    },
  });
}

function deleteRoute(service: DatabasesService): Route[] {
  const { catalogue, kernel } = service;
  return inBothDialects({
    method: 'DELETE',
    path: '/databases/:databaseId',
    scope: 'databases.write',
    params: { databaseId: required(uid()) },
    async handle({ params, caller }) {
      const { store } = catalogue;
      const database = await catalogue.change(() => {
        const found = service.database(params.databaseId, caller);
        const rows = store.prepare('SELECT * FROM collections WHERE database = ?').all(found.sequence);
        for (const row of rows) {
          removeCollection(catalogue, catalogue.read(found, row));
        }
        store.prepare('DELETE FROM databases WHERE sequence = ?').run(found.sequence);
        return found;
      });
      const body = databaseJson(database);
      emitStructureEvent(kernel.events, caller, [['databases', database.id]], 'delete', database.type, body);
      return { status: 204 };
    },
  });
}

export function databaseRoutes(service: DatabasesService): Route[] {
  return [
    ...createRoute(service),
    ...listRoute(service),
    ...getRoute(service),
    ...updateRoute(service),
    ...deleteRoute(service),
  ];
}
