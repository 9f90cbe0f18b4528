/** Databases, collections, attributes and indexes as the service works with them. */
import type { AttributeKind } from '../attributes/kinds.ts';

export interface Database {
  readonly sequence: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Which of the two APIs made it; both read it. */
  readonly type: 'legacy' | 'tablesdb';
}

/** What is told of an attribute when it is made or changed. */
export interface AttributeDefinition {
  readonly key: string;
  readonly kind: AttributeKind;
  /** In characters; 0 where it has no meaning. */
  readonly size: number;
  readonly required: boolean;
  readonly array: boolean;
  /** null = none. */
  readonly default: unknown;
  /** Of an enum. */
  readonly elements?: readonly string[] | undefined;
  /** Of numbers; absent = as far as the type goes. */
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
  /** Expanded: without `write`. */
  readonly permissions: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly indexes: readonly Index[];
}
