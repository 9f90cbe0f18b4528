/** Describes the attributes that a list can be filtered and ordered by. */

/** `sequence` is the row number, given as digits or as an integer. */
export type QueryType = 'string' | 'integer' | 'float' | 'boolean' | 'datetime' | 'sequence';

export interface QueryField {
  readonly type: QueryType;
  /**
   * The SQL expression it is read from, e.g. `email` or `d.a7`. Booleans are stored as 0 and 1, dates as text of the
   * contract's form (`YYYY-MM-DDTHH:mm:ss.SSS+00:00`), arrays as JSON text.
   */
  readonly column: string;
  readonly array?: boolean;
  /** Its values may be long texts: reading one takes more than reading its row. */
  readonly long?: boolean;
  /** Name of the FTS5 table over exactly this attribute, whose rowid is the row's sequence; absent = no `search`. */
  readonly fulltext?: string;
  /** False for what can be selected but neither filtered nor ordered by (default true). */
  readonly queryable?: boolean;
}

export interface QuerySchema {
  /** By the attribute's public name, `$id` and the like included. */
  readonly fields: ReadonlyMap<string, QueryField>;
  /** The SQL expression of the unique row number: default order and last tie-break. */
  readonly sequence: string;
}

export type SqlValue = string | number | bigint | null;

/** A piece of SQL with the values of its `?` marks, in order. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Fields that every stored resource has: `$id`, `$sequence`, `$createdAt`, `$updatedAt`, in the named columns. */
export function internalFields(columns: {
  id: string;
  sequence: string;
  createdAt: string;
  updatedAt: string;
}): [string, QueryField][] {
  return [
    ['$id', { type: 'string', column: columns.id }],
    ['$sequence', { type: 'sequence', column: columns.sequence }],
    ['$createdAt', { type: 'datetime', column: columns.createdAt }],
    ['$updatedAt', { type: 'datetime', column: columns.updatedAt }],
  ];
}
