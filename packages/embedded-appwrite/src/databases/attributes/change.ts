/** Adds, changes and removes attributes with their columns. Call within `Catalogue.change`. */
import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Attribute, AttributeDefinition, Collection } from '../catalogue/model.ts';
import { columnType, createIndex, documentsTable, dropIndex } from '../documents/sqlite/layout.ts';
import { defineAttribute, ROW_BYTES, rowBytes } from './definition.ts';

/** Limit of Appwrite's table, without its own columns. */
const MOST_ATTRIBUTES = 1012;

function options({ elements, min, max }: AttributeDefinition): string {
  return JSON.stringify({ elements, min: min?.toString(), max: max?.toString() });
}

function stored(definition: AttributeDefinition): (string | number | null)[] {
  const { key, kind, size, required, array } = definition;
  const fallback = definition.default === null ? null : JSON.stringify(definition.default);
  return [key, kind, size, Number(required), Number(array), fallback, options(definition)];
}

/** Reads the collection again within a write that has changed it. */
export function reread(catalogue: Catalogue, { database, id }: Collection): Collection {
  catalogue.forget();
  return catalogue.collection(database, id) as Collection;
}

/** Throws 409 when the key is taken, 400 when the collection is full. */
export function addAttribute(catalogue: Catalogue, collection: Collection, definition: AttributeDefinition): Attribute {
  const { attributes, sequence } = collection;
  if (attributes.some(({ key }) => key === definition.key)) {
    throw AppwriteError.about('attribute_already_exists', definition.key);
  }
  if (attributes.length >= MOST_ATTRIBUTES || rowBytes([...attributes, definition]) > ROW_BYTES) {
    throw AppwriteError.about('attribute_limit_exceeded', collection.id);
  }
  const moment = now();
  const { store } = catalogue;
  store
    .prepare(
      `INSERT INTO attributes (collection, created, updated, key, kind, size, required, array, default_value, options)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(sequence, moment, moment, ...stored(definition));
  const attribute = reread(catalogue, collection).attributes.at(-1) as Attribute;
  store.database.exec(
    `ALTER TABLE ${documentsTable(sequence)} ADD COLUMN ${attribute.column} ${columnType(attribute)}`,
  );
  return attribute;
}

export interface AttributeUpdate {
  readonly required: boolean;
  readonly default: unknown;
  readonly newKey: string | undefined;
  readonly size: number | undefined;
  readonly elements: readonly string[] | undefined;
  readonly min: number | bigint | undefined;
  readonly max: number | bigint | undefined;
}

function requireFit(catalogue: Catalogue, collection: Collection, { column }: Attribute, size: number): void {
  const sql = `SELECT 1 FROM ${documentsTable(collection.sequence)} WHERE length(${column}) > ? LIMIT 1`;
  if (catalogue.store.prepare(sql).get(size)) throw new AppwriteError('attribute_invalid_resize');
}

function renameInIndexes(catalogue: Catalogue, collection: Collection, from: string, to: string): void {
  for (const { sequence, attributes } of collection.indexes) {
    if (!attributes.includes(from)) continue;
    const renamed = JSON.stringify(attributes.map((key) => (key === from ? to : key)));
    catalogue.store.prepare('UPDATE indexes SET attributes = ? WHERE sequence = ?').run(renamed, sequence);
  }
}

/** Keeps bounds and elements that are not given. Checks stored values only against a smaller size. */
export function updateAttribute(
  catalogue: Catalogue,
  collection: Collection,
  old: Attribute,
  update: AttributeUpdate,
): Attribute {
  const key = update.newKey ?? old.key;
  if (key !== old.key && collection.attributes.some((attribute) => attribute.key === key)) {
    throw AppwriteError.about('attribute_already_exists', key);
  }
  const definition = defineAttribute({
    key,
    kind: old.kind,
    array: old.array,
    required: update.required,
    default: update.default,
    size: update.size ?? old.size,
    elements: update.elements ?? old.elements,
    min: update.min ?? old.min,
    max: update.max ?? old.max,
  });
  const others = collection.attributes.filter((attribute) => attribute !== old);
  if (rowBytes([...others, definition]) > ROW_BYTES) {
    throw AppwriteError.about('attribute_limit_exceeded', collection.id);
  }
  if (!old.array && definition.size < old.size) requireFit(catalogue, collection, old, definition.size);
  if (key !== old.key) renameInIndexes(catalogue, collection, old.key, key);
  catalogue.store
    .prepare(
      `UPDATE attributes SET updated = ?, key = ?, kind = ?, size = ?, required = ?, array = ?, default_value = ?,
       options = ? WHERE sequence = ?`,
    )
    .run(now(), ...stored(definition), old.sequence);
  return reread(catalogue, collection).attributes.find(({ sequence }) => sequence === old.sequence) as Attribute;
}

/** Removes the attribute with its values and from its indexes. Removes indexes that have no other attribute. */
export function removeAttribute(catalogue: Catalogue, collection: Collection, attribute: Attribute): void {
  const { store } = catalogue;
  const concerned = collection.indexes.filter(({ attributes }) => attributes.includes(attribute.key));
  for (const index of concerned) {
    store.database.exec(dropIndex(index));
    const kept = index.attributes.map((key, i) => ({ key, order: index.orders[i], length: index.lengths[i] }));
    const rest = kept.filter(({ key }) => key !== attribute.key);
    if (rest.length === 0) {
      store.prepare('DELETE FROM indexes WHERE sequence = ?').run(index.sequence);
      continue;
    }
    store
      .prepare('UPDATE indexes SET attributes = ?, orders = ?, lengths = ? WHERE sequence = ?')
      .run(
        JSON.stringify(rest.map(({ key }) => key)),
        JSON.stringify(rest.map(({ order }) => order ?? 'ASC')),
        JSON.stringify(rest.map(({ length }) => length ?? 0)),
        index.sequence,
      );
  }
  store.prepare('DELETE FROM attributes WHERE sequence = ?').run(attribute.sequence);
  const table = documentsTable(collection.sequence);
  if (columnType(attribute) === 'TEXT') {
    const { column } = attribute;
    store.database.exec(`UPDATE ${table} SET bytes = bytes - octet_length(${column}) WHERE ${column} IS NOT NULL`);
  }
  store.database.exec(`ALTER TABLE ${table} DROP COLUMN ${attribute.column}`);
  const after = reread(catalogue, collection);
  for (const { sequence } of concerned) {
    const index = after.indexes.find((other) => other.sequence === sequence);
    if (index) store.database.exec(createIndex(after, index));
  }
}
