/** A collection as the API shows it, in either dialect. */

import { ROW_BYTES, rowBytes } from './attributes/definition.ts';
import { attributeJson } from './attributes/json.ts';
import type { Collection } from './catalogue/model.ts';
import type { Dialect } from './dialect.ts';
import { indexJson } from './indexes/json.ts';

export function collectionJson(collection: Collection, dialect: Dialect): Record<string, unknown> {
  return {
    $id: collection.id,
    $createdAt: collection.createdAt,
    $updatedAt: collection.updatedAt,
    $permissions: collection.permissions,
    databaseId: collection.database.id,
    name: collection.name,
    enabled: collection.enabled,
    [dialect.documentSecurity]: collection.documentSecurity,
    [dialect.attributes]: collection.attributes.map(attributeJson),
    indexes: collection.indexes.map((index) => indexJson(collection, index, dialect)),
    bytesMax: ROW_BYTES,
    bytesUsed: rowBytes(collection.attributes),
  };
}
