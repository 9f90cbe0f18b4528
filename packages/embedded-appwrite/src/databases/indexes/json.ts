import type { Collection, Index } from '../catalogue/model.ts';
import type { Dialect } from '../dialect.ts';

export function indexJson(collection: Collection, index: Index, dialect: Dialect): Record<string, unknown> {
  return {
    $id: `${collection.database.sequence}_${collection.sequence}_${index.key}`,
    $createdAt: index.createdAt,
    $updatedAt: index.updatedAt,
    key: index.key,
    type: index.type,
    status: 'available',
    error: '',
    [dialect.attributes]: index.attributes,
    lengths: index.lengths,
    orders: index.orders,
  };
}
