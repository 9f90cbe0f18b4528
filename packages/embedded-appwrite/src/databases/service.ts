import type { Caller } from '../caller.ts';
import type { EventLevel } from '../event-names.ts';
import type { BackendEvent } from '../events.ts';
import { AppwriteError } from '../http/errors.ts';
import { LoopTurns } from '../http/loop-turns.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import type { Collection, Database } from './catalogue/model.ts';
import { DocumentTable } from './documents/sqlite/table.ts';
import { eventNames } from './events.ts';
import { provideFunctions } from './query/functions.ts';

export interface CollectionPath {
  readonly databaseId: string;
  readonly collectionId: string;
}

export class DatabasesService {
  readonly kernel: Kernel;
  readonly catalogue: Catalogue;
  /**
   * Spreads slow list requests over turns of the event loop, one per turn, because each may block the thread for as
   * long as its caller's limits allow.
   */
  readonly turns = new LoopTurns();
  readonly #tables = new WeakMap<Collection, DocumentTable>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.catalogue = new Catalogue(kernel.store);
    provideFunctions(kernel.store.database);
  }

  /** Returns the database. Throws 404 if it is missing, or if it is disabled and the caller has no server key. */
  database(id: string, caller: Caller): Database {
    const database = this.catalogue.database(id);
    if (!database || (!database.enabled && !caller.privileged)) throw AppwriteError.about('database_not_found', id);
    return database;
  }

  /** Returns the collection. Throws 404 like `database` if the collection or its database is missing or disabled. */
  collection({ databaseId, collectionId: id }: CollectionPath, caller: Caller): Collection {
    const collection = this.catalogue.collection(this.database(databaseId, caller), id);
    if (!collection || (!collection.enabled && !caller.privileged)) {
      throw AppwriteError.about('collection_not_found', id);
    }
    return collection;
  }

  /** Returns the collection's table of documents. Throws 404 like `collection`. */
  documents(path: CollectionPath, caller: Caller): DocumentTable {
    const collection = this.collection(path, caller);
    let table = this.#tables.get(collection);
    if (!table) {
      table = new DocumentTable(this.kernel, collection);
      this.#tables.set(collection, table);
    }
    return table;
  }

  /** Emits an event without channels, so only webhooks receive it. */
  tell(
    caller: Caller,
    action: 'create' | 'update' | 'delete',
    { id, type }: Database,
    below: readonly EventLevel[],
    payload: BackendEvent['payload'],
  ): void {
    this.kernel.events.emit({
      events: eventNames([['databases', id], ...below], action, type),
      channels: [],
      roles: [],
      payload,
      timestamp: now(),
      ...(caller.user && { userId: caller.user.id }),
    });
  }
}
