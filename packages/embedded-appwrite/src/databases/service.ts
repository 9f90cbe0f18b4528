import type { Caller } from '../caller.ts';
import { AppwriteError } from '../http/errors.ts';
import { LoopTurns } from '../http/loop-turns.ts';
import type { Kernel } from '../kernel.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import type { Collection, Database } from './catalogue/model.ts';
import { Roles } from './documents/sqlite/roles.ts';
import { DocumentTable } from './documents/sqlite/table.ts';
import { provideFunctions } from './query/functions.ts';

export class DatabasesService {
  readonly kernel: Kernel;
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  /** Serialises lists that may use the thread up to their caller's limits. */
  readonly turns = new LoopTurns();
  readonly #tables = new WeakMap<Collection, DocumentTable>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.catalogue = new Catalogue(kernel.store);
    this.roles = new Roles(kernel.store);
    provideFunctions(kernel.store.database);
  }

  /** Returns the database. Throws 404 if it is missing, or disabled for a caller without a key. */
  database(id: string, caller: Caller): Database {
    const database = this.catalogue.database(id);
    if (!database || (!database.enabled && !caller.privileged)) throw AppwriteError.about('database_not_found', id);
    return database;
  }

  /** Returns the collection. Throws 404 when it or its database is missing or disabled. */
  collection(databaseId: string, id: string, caller: Caller): Collection {
    const collection = this.catalogue.collection(this.database(databaseId, caller), id);
    if (!collection || (!collection.enabled && !caller.privileged)) {
      throw AppwriteError.about('collection_not_found', id);
    }
    return collection;
  }

  /** Returns the collection's documents. Throws 404 like `collection`. */
  documents(databaseId: string, collectionId: string, caller: Caller): DocumentTable {
    const collection = this.collection(databaseId, collectionId, caller);
    let table = this.#tables.get(collection);
    if (!table) {
      const { store, usage } = this.kernel;
      table = new DocumentTable({ store, usage, roles: this.roles }, collection);
      this.#tables.set(collection, table);
    }
    return table;
  }
}
