/** Adds, changes and removes attributes with their columns. Call within `Catalogue.change`. */
import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import {
  ATTRIBUTE_TABLE,
  type Attribute,
  type AttributeDefinition,
  type Collection,
  INDEX_TABLE,
  storedAttribute,
} from '../catalogue/model.ts';
import { columnType, createIndex, documentsTable, dropIndex } from '../documents/sqlite/layout.ts';
import { defineAttribute, ROW_BYTES, rowBytes } from './definition.ts';

/** Maximum attributes per collection: as many as fit into Appwrite's table alongside its own columns. */
const MOST_ATTRIBUTES = 1012;

function requireNewKey({ attributes }: Collection, key: string): void {
  if (attributes.some((other) => other.key === key)) throw AppwriteError.about('attribute_already_exists', key);
}

function requireRoom({ id }: Collection, attributes: readonly AttributeDefinition[]): void {
  if (attributes.length > MOST_ATTRIBUTES || rowBytes(attributes) > ROW_BYTES)
    throw AppwriteError.about('attribute_limit_exceeded', id);
}

/** Adds an attribute and its column. Throws 409 when the key is taken, 400 when the collection is full. */
export function addAttribute(catalogue: Catalogue, collection: Collection, definition: AttributeDefinition): Attribute {
  const { attributes, sequence } = collection;
  requireNewKey(collection, definition.key);
  requireRoom(collection, [...attributes, definition]);
  const { store } = catalogue;
  const moment = now();
  const row = { collection: sequence, created: moment, updated: moment, ...storedAttribute(definition) };
  ATTRIBUTE_TABLE.insert(store, row);
  const attribute = catalogue.reread(collection).attributes.at(-1) as Attribute;
  store.database.exec(
    `ALTER TABLE ${documentsTable(sequence)} ADD COLUMN ${attribute.column} ${columnType(attribute)}`,
  );
  return attribute;
}

export interface AttributeUpdate
  extends Pick<AttributeDefinition, 'required' | 'default' | 'elements' | 'min' | 'max'> {
  readonly newKey: string | undefined;
  readonly size: number | undefined;
}

/**
 * Changes an attribute. Leaves the key, size, elements and bounds unchanged unless they are given. Throws 400 if a
 * stored value exceeds the new size.
 */
export function updateAttribute(
  catalogue: Catalogue,
  collection: Collection,
  old: Attribute,
  update: AttributeUpdate,
): Attribute {
  const { store } = catalogue;
  const key = update.newKey ?? old.key;
  if (key !== old.key) requireNewKey(collection, key);
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
  requireRoom(collection, [...collection.attributes.filter((attribute) => attribute !== old), definition]);
  if (!old.array && definition.size < old.size) {
    const longer = `SELECT 1 FROM ${documentsTable(collection.sequence)} WHERE length(${old.column}) > ? LIMIT 1`;
    if (store.prepare(longer).get(definition.size)) throw new AppwriteError('attribute_invalid_resize');
  }
  for (const { sequence, attributes } of collection.indexes) {
    const renamed = attributes.map((each) => (each === old.key ? key : each));
    INDEX_TABLE.update(store, { sequence }, { attributes: renamed });
  }
  ATTRIBUTE_TABLE.update(store, { sequence: old.sequence }, { updated: now(), ...storedAttribute(definition) });
  return catalogue.reread(collection).attributes.find(({ sequence }) => sequence === old.sequence) as Attribute;
}

/** Removes the attribute, its values and its place in indexes; drops indexes that contain no other attribute. */
export function removeAttribute(catalogue: Catalogue, collection: Collection, attribute: Attribute): void {
  const { store } = catalogue;
  const concerned = collection.indexes.filter(({ attributes }) => attributes.includes(attribute.key));
  for (const index of concerned) {
    const { sequence, attributes, orders, lengths } = index;
    store.database.exec(dropIndex(index));
    const isKept = (_: unknown, i: number) => attributes[i] !== attribute.key;
    const rest = {
      attributes: attributes.filter(isKept),
      orders: orders.filter(isKept),
      lengths: lengths.filter(isKept),
    };
    if (rest.attributes.length > 0) INDEX_TABLE.update(store, { sequence }, rest);
    else INDEX_TABLE.delete(store, { sequence });
  }
  ATTRIBUTE_TABLE.delete(store, { sequence: attribute.sequence });
  const table = documentsTable(collection.sequence);
  if (columnType(attribute) === 'TEXT') {
    const { column } = attribute;
    store.database.exec(`UPDATE ${table} SET bytes = bytes - octet_length(${column}) WHERE ${column} IS NOT NULL`);
  }
  store.database.exec(`ALTER TABLE ${table} DROP COLUMN ${attribute.column}`);
  const after = catalogue.reread(collection);
  for (const { sequence } of concerned) {
    const index = after.indexes.find((other) => other.sequence === sequence);
    if (index) store.database.exec(createIndex(after, index));
  }
}
