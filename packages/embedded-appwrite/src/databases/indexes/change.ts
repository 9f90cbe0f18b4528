/** Adds and removes indexes of a collection (contract 2.3, indexes). Call within `Catalogue.change`. */

import { AppwriteError } from '../../http/errors.ts';
import { now } from '../../identifiers.ts';
import { KINDS } from '../attributes/kinds.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Collection, INDEX_TABLE, type Index, type IndexDefinition } from '../catalogue/model.ts';
import type { Dialect } from '../dialect.ts';
import { columnOf, createIndex, dropIndex } from '../documents/sqlite/layout.ts';

/** Maximum indexes per collection: Appwrite's limit of 64, less the indexes that Appwrite creates itself. */
const MOST_INDEXES = 58;
/** Appwrite's maximum index length in characters, enforced here so that a collection can be migrated to Appwrite. */
const LENGTH_MAX = 767;

function invalid(text: string): AppwriteError {
  return new AppwriteError('index_invalid', text);
}

/** Returns how many characters an attribute takes up in an index; 1 if it is not a string. */
function indexedLength(collection: Collection, key: string, length: number): number {
  const attribute = collection.attributes.find((other) => other.key === key);
  if (!attribute) return key === '$id' ? 255 : 1;
  if (KINDS[attribute.kind].stored !== 'string') return 1;
  if (length > attribute.size) {
    throw invalid(`Index length ${length} is larger than the size for ${key}: ${attribute.size}"`);
  }
  return length || attribute.size;
}

function checkAttribute(collection: Collection, type: Index['type'], key: string): void {
  if (!columnOf(collection, key)) throw AppwriteError.about('attribute_unknown', key);
  const attribute = collection.attributes.find((other) => other.key === key);
  if (attribute?.array) throw invalid('Creating indexes on array attributes is not currently supported.');
  if (type !== 'fulltext') return;
  const stored = attribute ? KINDS[attribute.kind].stored : key === '$id' ? 'string' : 'other';
  if (stored !== 'string') {
    throw invalid(`Attribute "${key}" cannot be part of a fulltext index, must be of type string`);
  }
}

function check(collection: Collection, definition: IndexDefinition): void {
  const { key, type, attributes, lengths } = definition;
  if (collection.indexes.some((index) => index.key === key)) throw AppwriteError.about('index_already_exists', key);
  if (collection.indexes.length >= MOST_INDEXES) throw AppwriteError.about('index_limit_exceeded', collection.id);
  if (attributes.length === 0) throw invalid('No attributes provided for index');
  for (const attribute of attributes) checkAttribute(collection, type, attribute);
  if (new Set(attributes).size < attributes.length) throw invalid('Duplicate attributes provided');
  if (lengths.length > attributes.length) {
    throw invalid('Invalid index lengths. Count of lengths must be equal or less than the number of attributes.');
  }
  if (type === 'fulltext') return;
  const total = attributes.reduce((sum, name, i) => sum + indexedLength(collection, name, lengths[i] ?? 0), 0);
  if (total > LENGTH_MAX) throw invalid(`Index length is longer than the maximum: ${LENGTH_MAX}`);
}

/** Throws 409 when the key is taken, 400 if an attribute cannot be indexed or a unique index would have duplicates. */
export function addIndex(catalogue: Catalogue, collection: Collection, asked: IndexDefinition): Index {
  check(collection, asked);
  const { store } = catalogue;
  const { key, type, attributes } = asked;
  const orders = attributes.map((_, i) => asked.orders[i] ?? 'ASC');
  const lengths = attributes.map((_, i) => asked.lengths[i] ?? 0);
  const moment = now();
  const times = { created: moment, updated: moment };
  INDEX_TABLE.insert(store, { collection: collection.sequence, ...times, key, type, attributes, orders, lengths });
  const after = catalogue.reread(collection);
  const index = after.indexes.at(-1) as Index;
  try {
    store.database.exec(createIndex(after, index));
  } catch (error) {
    if (!String((error as Error).message).startsWith('UNIQUE constraint failed')) throw error;
    throw invalid(`The stored values of ${attributes.join(', ')} are not unique.`);
  }
  return index;
}

export function removeIndex({ store }: Catalogue, index: Index): void {
  store.database.exec(dropIndex(index));
  INDEX_TABLE.delete(store, { sequence: index.sequence });
}

export function indexJson(collection: Collection, index: Index, dialect: Dialect): Record<string, unknown> {
  return {
    $id: `${collection.database.sequence}_${collection.sequence}_${index.key}`,
    $createdAt: index.created,
    $updatedAt: index.updated,
    key: index.key,
    type: index.type,
    status: 'available',
    error: '',
    [dialect.attributes]: index.attributes,
    lengths: index.lengths,
    orders: index.orders,
  };
}
