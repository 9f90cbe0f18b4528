/** `sequence` is the row number, which a query may specify as an integer or a string of digits. */
export type QueryType = 'string' | 'integer' | 'float' | 'boolean' | 'datetime' | 'sequence';

export interface QueryField {
  readonly type: QueryType;
  /** SQL, e.g. `email` or `d.a7`. Booleans are read as 0 or 1, dates as text in the contract's form, arrays as JSON. */
  readonly column: string;
  readonly array?: boolean;
  /** True if values may be long strings, which cost more to read than the rest of their row. */
  readonly long?: boolean;
  /** FTS5 table that indexes only this attribute, with the documents' row ids. Without one, `search` is refused. */
  readonly fulltext?: string;
  /** False if the field can be selected but not used in filters or orders (default true). */
  readonly queryable?: boolean;
}

export interface QuerySchema {
  /** Fields by public name, including `$id` and other system fields. */
  readonly fields: ReadonlyMap<string, QueryField>;
  /** The SQL expression for the unique row number, which is the default order and the final tie-break. */
  readonly sequence: string;
}

export type SqlValue = string | number | bigint | null;

export interface Fragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

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
