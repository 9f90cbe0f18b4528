/**
 * Caches databases and collections in memory. Every change goes through `change`, which clears the whole cache, so a
 * cached collection always matches the store.
 */
import type { SQLOutputValue } from 'node:sqlite';
import type { Store } from '../../sqlite/store.ts';
import type { AttributeKind } from '../attributes/kinds.ts';
import type { Attribute, Collection, Database, Index, IndexType } from './model.ts';

export type Row = Record<string, SQLOutputValue>;

interface AttributeOptions {
  elements?: string[];
  /** Decimal text: 64-bit bounds do not fit a JSON number. */
  min?: string;
  max?: string;
}

export function databaseOf(row: Row): Database {
  return {
    sequence: Number(row.sequence),
    id: String(row.id),
    createdAt: String(row.created),
    updatedAt: String(row.updated),
    name: String(row.name),
    enabled: row.enabled === 1,
    type: row.type as Database['type'],
  };
}

function bound(kind: AttributeKind, text: string | undefined): number | bigint | undefined {
  if (text === undefined) return undefined;
  return kind === 'float' ? Number(text) : BigInt(text);
}

export function attributeOf(row: Row): Attribute {
  const kind = row.kind as AttributeKind;
  const options = JSON.parse(String(row.options)) as AttributeOptions;
  return {
    sequence: Number(row.sequence),
    key: String(row.key),
    createdAt: String(row.created),
    updatedAt: String(row.updated),
    kind,
    size: Number(row.size),
    required: row.required === 1,
    array: row.array === 1,
    default: row.default_value === null ? null : JSON.parse(String(row.default_value)),
    elements: options.elements,
    min: bound(kind, options.min),
    max: bound(kind, options.max),
    column: `a${row.sequence}`,
  };
}

export function indexOf(row: Row): Index {
  return {
    sequence: Number(row.sequence),
    key: String(row.key),
    createdAt: String(row.created),
    updatedAt: String(row.updated),
    type: row.type as IndexType,
    attributes: JSON.parse(String(row.attributes)),
    orders: JSON.parse(String(row.orders)),
    lengths: JSON.parse(String(row.lengths)),
  };
}

export class Catalogue {
  readonly store: Store;
  readonly #databases = new Map<string, Database>();
  readonly #collections = new Map<string, Collection>();

  constructor(store: Store) {
    this.store = store;
  }

  database(id: string): Database | undefined {
    const known = this.#databases.get(id);
    if (known) return known;
    const row = this.store.prepare('SELECT * FROM databases WHERE id = ?').get(id);
    if (!row) return undefined;
    const database = databaseOf(row);
    this.#databases.set(id, database);
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
    const sequence = Number(row.sequence);
    return {
      sequence,
      database,
      id: String(row.id),
      createdAt: String(row.created),
      updatedAt: String(row.updated),
      name: String(row.name),
      enabled: row.enabled === 1,
      documentSecurity: row.document_security === 1,
      permissions: JSON.parse(String(row.permissions)),
      attributes: this.store
        .prepare('SELECT * FROM attributes WHERE collection = ? ORDER BY sequence')
        .all(sequence)
        .map(attributeOf),
      indexes: this.store
        .prepare('SELECT * FROM indexes WHERE collection = ? ORDER BY sequence')
        .all(sequence)
        .map(indexOf),
    };
  }

  /**
   * Runs a change of databases, collections, attributes or indexes as one transaction. Clears the cache before another
   * write of the batch can read it, and again once the outcome is certain.
   */
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
