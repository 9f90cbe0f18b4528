/** Databases, collections, attributes and indexes as the service works with them. */
import type { AttributeKind } from '../attributes/kinds.ts';

export interface Database {
  readonly sequence: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The API that created it. Both read it. */
  readonly type: 'legacy' | 'tablesdb';
}

export interface AttributeDefinition {
  readonly key: string;
  readonly kind: AttributeKind;
  /** Characters. 0 for kinds without a size. */
  readonly size: number;
  readonly required: boolean;
  readonly array: boolean;
  /** Null: no default. */
  readonly default: unknown;
  /** Only for enums. */
  readonly elements?: readonly string[] | undefined;
  /** Only for numbers. Default: the bounds of the type. */
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

export interface Attribute extends AttributeDefinition {
  readonly sequence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Its column in the collection's table: a number, so that keys differing in case cannot collide. */
  readonly column: string;
}

export type IndexType = 'key' | 'unique' | 'fulltext';

export interface IndexDefinition {
  readonly key: string;
  readonly type: IndexType;
  readonly attributes: readonly string[];
  readonly orders: readonly string[];
  readonly lengths: readonly number[];
}

export interface Index extends IndexDefinition {
  readonly sequence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Collection {
  readonly sequence: number;
  readonly database: Database;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly documentSecurity: boolean;
  /** Expanded, without `write`. */
  readonly permissions: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly indexes: readonly Index[];
}
