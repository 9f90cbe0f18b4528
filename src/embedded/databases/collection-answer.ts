/** A collection as the API shows it, in either dialect. */
import { attributeAnswer } from './attributes/answer.ts';
import { ROW_BYTES, rowBytes } from './attributes/definition.ts';
import type { Collection } from './catalogue/model.ts';
import type { Dialect } from './dialect.ts';
import { indexAnswer } from './indexes/answer.ts';

export function collectionAnswer(collection: Collection, dialect: Dialect): Record<string, unknown> {
  return {
    $id: collection.id,
    $createdAt: collection.createdAt,
    $updatedAt: collection.updatedAt,
    $permissions: collection.permissions,
    databaseId: collection.database.id,
    name: collection.name,
    enabled: collection.enabled,
    [dialect.documentSecurity]: collection.documentSecurity,
    [dialect.attributes]: collection.attributes.map(attributeAnswer),
    indexes: collection.indexes.map((index) => indexAnswer(collection, index, dialect)),
    bytesMax: ROW_BYTES,
    bytesUsed: rowBytes(collection.attributes),
  };
}
