/** Stores a collection's documents; does not check permissions. A changed collection gets a new instance. */
import type { StatementSync } from 'node:sqlite';
import type { Kernel } from '../../../kernel.ts';
import { rolesFor } from '../../../permissions.ts';
import type { StorageUsage } from '../../../quota/usage.ts';
import type { Store } from '../../../sqlite/store.ts';
import { KINDS } from '../../attributes/kinds.ts';
import type { Attribute, Collection } from '../../catalogue/model.ts';
import { internalFields, type QueryField, type QuerySchema, type SqlValue } from '../../query/schema.ts';
import { Structure } from '../structure.ts';
import { columnType, documentsTable, FIXED_COLUMNS, fulltextTable, readersTable } from './layout.ts';
import { createPlan, type DocumentRow, type Plan, permissionsIn, type RenderedDocument } from './plan.ts';

/** `values` are in the order of the collection's attributes. */
export interface StoredDocument {
  readonly sequence: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly permissions: readonly string[];
  readonly values: readonly SqlValue[];
}

/** Approximate size in bytes of a document apart from its strings: the row itself and its entries in indexes. */
const DOCUMENT_BYTES = 512;

/** Strings longer than this many characters may be stored on overflow pages, which cost extra reads. */
const LONG = 1000;

export function schemaOf(collection: Collection): QuerySchema {
  const internal = { id: 'd.id', sequence: 'd.sequence', createdAt: 'd.created', updatedAt: 'd.updated' };
  const fields = new Map<string, QueryField>(internalFields(internal));
  for (const { key, kind, column, array, size } of collection.attributes) {
    const words = collection.indexes.find(
      ({ type, attributes }) => type === 'fulltext' && attributes.length === 1 && attributes[0] === key,
    );
    fields.set(key, {
      type: KINDS[kind].stored,
      column: `d.${column}`,
      array,
      long: array || size > LONG,
      ...(words ? { fulltext: fulltextTable(words.sequence) } : {}),
    });
  }
  return { fields, sequence: 'd.sequence' };
}

export class DocumentTable {
  readonly collection: Collection;
  readonly name: string;
  readonly schema: QuerySchema;
  readonly structure: Structure;
  readonly plan: Plan;
  /** List totals by query; cleared by each write. */
  readonly totals = new Map<string, number>();
  version = 0;
  readonly usage: StorageUsage;
  readonly #store: Store;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #owner: StatementSync;
  readonly #texts: readonly number[];

  constructor({ store, usage }: Pick<Kernel, 'store' | 'usage'>, collection: Collection) {
    this.#store = store;
    this.usage = usage;
    this.collection = collection;
    this.name = documentsTable(collection.sequence);
    this.schema = schemaOf(collection);
    this.structure = new Structure(collection.attributes);
    this.plan = createPlan(store, this.name, collection.attributes);
    const columns = ['owner', 'bytes', ...FIXED_COLUMNS.slice(1), ...collection.attributes.map(({ column }) => column)];
    const marks = columns.map(() => '?').join(', ');
    this.#insert = store.database.prepare(`INSERT INTO ${this.name} (${columns.join(', ')}) VALUES (${marks})`);
    this.#remove = store.database.prepare(`DELETE FROM ${this.name} WHERE sequence = ?`);
    this.#owner = store.database.prepare(`SELECT owner FROM ${this.name} WHERE sequence = ?`);
    this.#texts = collection.attributes.flatMap((attribute, i) => (columnType(attribute) === 'TEXT' ? [i] : []));
  }

  ownerOf({ sequence }: StoredDocument): string {
    return String(this.#owner.get(sequence)?.owner);
  }

  bytesOf({ permissions, values }: Pick<StoredDocument, 'permissions' | 'values'>): number {
    let bytes = DOCUMENT_BYTES + JSON.stringify(permissions).length;
    for (const i of this.#texts) bytes += textBytes(values[i]);
    return bytes;
  }

  /** Returns the growth in bytes; negative if the document shrinks. */
  growthOf(old: StoredDocument, document: StoredDocument): number {
    let bytes = 0;
    for (const i of this.#texts) {
      if (old.values[i] !== document.values[i]) bytes += textBytes(document.values[i]) - textBytes(old.values[i]);
    }
    if (old.permissions === document.permissions) return bytes;
    return bytes + JSON.stringify(document.permissions).length - JSON.stringify(old.permissions).length;
  }

  /** Returns a plan that shows only the named attributes. `*` selects all; names starting with `$` have no effect. */
  planFor(select: readonly string[] | undefined): Plan {
    if (!select || select.includes('*')) return this.plan;
    const attributes = this.collection.attributes.filter(({ key }) => select.includes(key));
    return createPlan(this.#store, this.name, attributes);
  }

  /** Returns the document as JSON if `isShown` accepts its permissions, which are passed as a JSON list. */
  show(id: string, plan: Plan, isShown: (permissions: string) => boolean): RenderedDocument | undefined {
    const row = plan.byId.get(id) as DocumentRow | undefined;
    return row && isShown(permissionsIn(row)) ? plan.document(row) : undefined;
  }

  /** Like `show`, but by row number and without a permission check. */
  showRow(sequence: number, plan: Plan): RenderedDocument | undefined {
    const row = plan.bySequence.get(sequence) as DocumentRow | undefined;
    return row && plan.document(row);
  }

  /** Returns the stored size, in bytes, of the selected columns, without reading their contents. */
  storedBytes(sequences: readonly number[], { columns }: Plan): number {
    const each = ['permissions', ...columns].map((column) => `ifnull(octet_length(${column}), 0)`).join(' + ');
    const sql = `SELECT sum(${each}) AS bytes FROM ${this.name} WHERE sequence IN (SELECT value FROM json_each(?))`;
    return Number(this.#store.prepare(sql).get(JSON.stringify(sequences))?.bytes ?? 0);
  }

  render({ sequence, id, createdAt, updatedAt, permissions, values }: StoredDocument): RenderedDocument {
    return this.plan.document([sequence, id, createdAt, updatedAt, JSON.stringify(permissions), ...values]);
  }

  values({ sequence, id, createdAt, updatedAt, permissions, values }: StoredDocument): Record<string, unknown> {
    const system = { $id: id, $sequence: String(sequence), $createdAt: createdAt, $updatedAt: updatedAt };
    return { ...this.plan.values(values), ...system, $permissions: permissions };
  }

  find(id: string): StoredDocument | undefined {
    const row = this.plan.byId.get(id) as DocumentRow | undefined;
    if (!row) return undefined;
    const [sequence, , createdAt, updatedAt, permissions] = row as [number, string, string, string, string];
    const values = row.slice(FIXED_COLUMNS.length);
    return { sequence, id, createdAt, updatedAt, permissions: JSON.parse(permissions), values };
  }

  /**
   * Inserts a document and counts it towards the owner's quota. Throws SQLite's error if the id or a unique value is
   * already taken.
   */
  insert(document: Omit<StoredDocument, 'sequence'>, owner: string): StoredDocument {
    const bytes = this.bytesOf(document);
    const { id, createdAt, updatedAt, permissions, values } = document;
    this.#forgetCounts();
    const result = this.#insert.run(owner, bytes, id, createdAt, updatedAt, JSON.stringify(permissions), ...values);
    const sequence = Number(result.lastInsertRowid);
    this.#addReaders(sequence, rolesFor('read', permissions));
    return { ...document, sequence };
  }

  /** Writes the changed columns. Throws like `insert` when a unique value is taken. `growth` comes from `growthOf`. */
  update(old: StoredDocument, document: StoredDocument, growth: number): void {
    const changes: [column: string, value: SqlValue][] = [];
    if (old.createdAt !== document.createdAt) changes.push(['created', document.createdAt]);
    if (old.updatedAt !== document.updatedAt) changes.push(['updated', document.updatedAt]);
    for (const [{ column }, value] of this.#changedAttributes(old, document)) changes.push([column, value]);
    const regranted = !samePermissions(old.permissions, document.permissions);
    if (regranted) changes.push(['permissions', JSON.stringify(document.permissions)]);
    if (changes.length === 0) return;
    this.#forgetCounts();
    const assignments = changes.map(([column]) => `${column} = ?`);
    if (growth !== 0) assignments.push('bytes = bytes + ?');
    this.#store
      .prepare(`UPDATE ${this.name} SET ${assignments.join(', ')} WHERE sequence = ?`)
      .run(...changes.map(([, value]) => value), ...(growth === 0 ? [] : [growth]), old.sequence);
    if (regranted) {
      this.#removeReaders(old.sequence, rolesFor('read', old.permissions));
      this.#addReaders(old.sequence, rolesFor('read', document.permissions));
    }
  }

  /** Returns the changed keys: attributes, `$createdAt`, `$permissions`, or `$updatedAt` if nothing else changed. */
  changed(old: StoredDocument, document: StoredDocument): string[] {
    const keys = this.#changedAttributes(old, document).map(([{ key }]) => key);
    if (old.createdAt !== document.createdAt) keys.push('$createdAt');
    if (!samePermissions(old.permissions, document.permissions)) keys.push('$permissions');
    if (keys.length === 0 && old.updatedAt !== document.updatedAt) keys.push('$updatedAt');
    return keys;
  }

  #changedAttributes(old: StoredDocument, document: StoredDocument): [Attribute, SqlValue][] {
    return this.collection.attributes.flatMap((attribute, i): [Attribute, SqlValue][] => {
      const value = document.values[i] ?? null;
      return sameValue(old.values[i] ?? null, value) ? [] : [[attribute, value]];
    });
  }

  remove(document: StoredDocument): void {
    this.#forgetCounts();
    this.#remove.run(document.sequence);
    this.#removeReaders(document.sequence, rolesFor('read', document.permissions));
  }

  #forgetCounts(): void {
    this.version++;
    this.totals.clear();
  }

  /** Stores which roles may read a row. Each role has a permanent number, which keeps the readers tables small. */
  #addReaders(sequence: number, roles: readonly string[]): void {
    const readers = readersTable(this.collection.sequence);
    const number = this.#store.prepare('INSERT OR IGNORE INTO roles (role) VALUES (?)');
    const add = this.#store.prepare(
      `INSERT OR IGNORE INTO ${readers} (role, sequence) SELECT number, ? FROM roles WHERE role = ?`,
    );
    for (const role of roles) {
      number.run(role);
      add.run(sequence, role);
    }
  }

  #removeReaders(sequence: number, roles: readonly string[]): void {
    const readers = readersTable(this.collection.sequence);
    const remove = this.#store.prepare(
      `DELETE FROM ${readers} WHERE sequence = ? AND role = (SELECT number FROM roles WHERE role = ?)`,
    );
    for (const role of roles) remove.run(sequence, role);
  }
}

const textBytes = (value: SqlValue | undefined): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** Compares the values as strings, because the same integer may be a number, a bigint or a string of digits. */
export function sameValue(a: SqlValue, b: SqlValue): boolean {
  return a === b || (a !== null && b !== null && String(a) === String(b));
}

export function samePermissions(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((permission, i) => permission === b[i]);
}
