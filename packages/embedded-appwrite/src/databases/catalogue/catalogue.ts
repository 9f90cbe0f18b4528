/** Caches databases and collections. Every change goes through `change`, which clears the whole cache. */
import type { Store } from '../../sqlite/store.ts';
import type { Row } from '../../sqlite/table.ts';
import { attributeOf, COLLECTION_TABLE, type Collection, DATABASE_TABLE, type Database, INDEX_TABLE } from './model.ts';

export class Catalogue {
  readonly store: Store;
  readonly #databases = new Map<string, Database>();
  readonly #collections = new Map<string, Collection>();

  constructor(store: Store) {
    this.store = store;
  }

  database(id: string): Database | undefined {
    const database = this.#databases.get(id) ?? DATABASE_TABLE.get(this.store, { id });
    if (database) this.#databases.set(id, database);
    return database;
  }

  collection(database: Database, id: string): Collection | undefined {
    const key = `${database.sequence}/${id}`;
    const known = this.#collections.get(key);
    if (known) return known;
    const row = this.store
      .prepare('SELECT * FROM collections WHERE database = ? AND id = ?')
      .get(database.sequence, id);
    if (!row) return undefined;
    const collection = this.read(database, row);
    this.#collections.set(key, collection);
    return collection;
  }

  read(database: Database, row: Row): Collection {
    const record = COLLECTION_TABLE.fromRow(row);
    const attributes = this.store
      .prepare('SELECT * FROM attributes WHERE collection = ? ORDER BY sequence')
      .all(record.sequence)
      .map(attributeOf);
    return { ...record, database, attributes, indexes: INDEX_TABLE.list(this.store, { collection: record.sequence }) };
  }

  reread({ database, id }: Pick<Collection, 'database' | 'id'>): Collection {
    this.forget();
    return this.collection(database, id) as Collection;
  }

  /** Runs a change as one transaction. Clears the cache after `work` and again after the commit, even if they fail. */
  async change<T>(work: () => T): Promise<T> {
    try {
      return await this.store.write(() => {
        try {
          return work();
        } finally {
          this.forget();
        }
      });
    } finally {
      this.forget();
    }
  }

  /** Clears the cache. Call it within `change` to read data that was just written. */
  forget(): void {
    this.#databases.clear();
    this.#collections.clear();
  }
}
