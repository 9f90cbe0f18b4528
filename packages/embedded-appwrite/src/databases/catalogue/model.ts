import type { AttributeKind } from '../attributes/kinds.ts';

export interface Database {
  readonly sequence: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The API that created it; both APIs can read it. */
  readonly type: 'legacy' | 'tablesdb';
}

export interface AttributeDefinition {
  readonly key: string;
  readonly kind: AttributeKind;
  /** Characters; 0 for kinds without a size. */
  readonly size: number;
  readonly required: boolean;
  readonly array: boolean;
  readonly default: unknown;
  readonly elements?: readonly string[] | undefined;
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

export interface Attribute extends AttributeDefinition {
  readonly sequence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The column in the collection's table: a number, so that keys differing in case cannot collide. */
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
