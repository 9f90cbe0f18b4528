import { AppwriteError } from '../http/errors.ts';
import { boolean, customId, optional, required, text, uid } from '../http/params.ts';
import { created, NO_CONTENT, ok, type Route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import { DATABASE_TABLE, type Database } from './catalogue/model.ts';
import { removeCollection } from './collection-routes.ts';
import { inBothDialects } from './dialect.ts';
import { LIST_PARAMS, listAnswer } from './query/listing.ts';
import { internalFields, type QuerySchema } from './query/schema.ts';
import type { DatabasesService } from './service.ts';

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created', updatedAt: 'updated' }),
    ['name', { type: 'string', column: 'name' }],
  ]),
};

const PATH = { databaseId: required(uid()) };

function databaseJson({ id, name, created, updated, enabled, type }: Database): Record<string, unknown> {
  return { $id: id, name, $createdAt: created, $updatedAt: updated, enabled, type };
}

export function databaseRoutes(service: DatabasesService): Route[] {
  const { catalogue } = service;
  const { store } = catalogue;
  const reread = (id: string): Database => {
    catalogue.forget();
    return catalogue.database(id) as Database;
  };

  return [
    inBothDialects(
      'POST /databases',
      'databases.write',
      { databaseId: required(customId()), name: required(text(128)), enabled: optional(boolean(), true) },
      async ({ params: { databaseId: id, name, enabled }, caller, dialect }) => {
        const type = dialect.name === 'tablesdb' ? 'tablesdb' : 'legacy';
        const database = await catalogue.change(() => {
          if (catalogue.database(id)) throw AppwriteError.about('database_already_exists', id);
          const moment = now();
          DATABASE_TABLE.insert(store, { id, created: moment, updated: moment, name, enabled, type });
          return reread(id);
        });
        const body = databaseJson(database);
        service.tell(caller, 'create', database, [], body);
        return created(body);
      },
    ),
    inBothDialects('GET /databases', 'databases.read', LIST_PARAMS, ({ params }) => {
      const source = { from: 'databases', columns: '*', schema: SCHEMA, noun: 'Database' };
      return listAnswer(store, source, params, 'databases', (row) => databaseJson(DATABASE_TABLE.fromRow(row)));
    }),
    inBothDialects('GET /databases/:databaseId', 'databases.read', PATH, ({ params, caller }) =>
      ok(databaseJson(service.database(params.databaseId, caller))),
    ),
    inBothDialects(
      'PUT /databases/:databaseId',
      'databases.write',
      { ...PATH, name: optional(text(128), undefined), enabled: optional(boolean(), true) },
      async ({ params: { databaseId: id, name, enabled }, caller }) => {
        const database = await catalogue.change(() => {
          const { sequence, name: old } = service.database(id, caller);
          DATABASE_TABLE.update(store, { sequence }, { updated: now(), name: name ?? old, enabled });
          return reread(id);
        });
        const body = databaseJson(database);
        service.tell(caller, 'update', database, [], body);
        return ok(body);
      },
    ),
    inBothDialects('DELETE /databases/:databaseId', 'databases.write', PATH, async ({ params, caller }) => {
      const database = await catalogue.change(() => {
        const found = service.database(params.databaseId, caller);
        const rows = store.prepare('SELECT * FROM collections WHERE database = ?').all(found.sequence);
        for (const row of rows) removeCollection(catalogue, catalogue.read(found, row));
        DATABASE_TABLE.delete(store, { sequence: found.sequence });
        return found;
      });
      service.tell(caller, 'delete', database, [], databaseJson(database));
      return NO_CONTENT;
    }),
  ].flat();
}
