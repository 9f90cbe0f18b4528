import { flag, integer, json, type RecordOf, type Row, table, text, textOf } from '../../sqlite/table.ts';
import type { AttributeKind } from '../attributes/kinds.ts';

const RESOURCE = { sequence: integer, created: text, updated: text };

const DATABASE = {
  ...RESOURCE,
  id: text,
  name: text,
  enabled: flag,
  /** The API that created the database; both APIs can read it. */
  type: textOf<'legacy' | 'tablesdb'>(),
};
export const DATABASE_TABLE = table('databases', DATABASE);
export type Database = RecordOf<typeof DATABASE>;

const COLLECTION = {
  ...RESOURCE,
  database: integer,
  id: text,
  name: text,
  enabled: flag,
  documentSecurity: flag,
  /** Permissions with `write` expanded into its actions. */
  permissions: json<readonly string[]>(),
};
export const COLLECTION_TABLE = table('collections', COLLECTION);
export interface Collection extends Omit<RecordOf<typeof COLLECTION>, 'database'> {
  readonly database: Database;
  readonly attributes: readonly Attribute[];
  readonly indexes: readonly Index[];
}

/** Bounds are stored as decimal strings, because JSON numbers cannot represent all 64-bit integers. */
type AttributeOptions = Pick<AttributeDefinition, 'elements'> & { readonly min?: string; readonly max?: string };

const ATTRIBUTE = {
  ...RESOURCE,
  collection: integer,
  key: text,
  kind: textOf<AttributeKind>(),
  /** Maximum length in characters; 0 for kinds without a size. */
  size: integer,
  required: flag,
  array: flag,
  defaultValue: json<unknown>(),
  options: json<AttributeOptions>(),
};
export const ATTRIBUTE_TABLE = table('attributes', ATTRIBUTE);
type AttributeRecord = RecordOf<typeof ATTRIBUTE>;

export interface AttributeDefinition extends Pick<AttributeRecord, 'key' | 'kind' | 'size' | 'required' | 'array'> {
  readonly default: unknown;
  readonly elements?: readonly string[] | undefined;
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

export interface Attribute extends AttributeDefinition, Pick<AttributeRecord, 'sequence' | 'created' | 'updated'> {
  /** The column in the collection's table, named by number so that keys differing only in case cannot collide. */
  readonly column: string;
}

export function storedAttribute(definition: AttributeDefinition): Partial<AttributeRecord> {
  const { default: defaultValue, elements, min, max, ...rest } = definition;
  const options = { elements, min: min?.toString(), max: max?.toString() } as AttributeOptions;
  return { ...rest, defaultValue, options };
}

export function attributeOf(row: Row): Attribute {
  const { defaultValue, options, ...rest } = ATTRIBUTE_TABLE.fromRow(row);
  const bound = (text: string | undefined) => (rest.kind === 'float' ? Number(text) : BigInt(text ?? 0));
  const { elements, min, max } = options;
  return {
    ...rest,
    default: defaultValue,
    elements,
    min: min === undefined ? undefined : bound(min),
    max: max === undefined ? undefined : bound(max),
    column: `a${rest.sequence}`,
  };
}

const INDEX = {
  ...RESOURCE,
  collection: integer,
  key: text,
  type: textOf<'key' | 'unique' | 'fulltext'>(),
  attributes: json<readonly string[]>(),
  orders: json<readonly string[]>(),
  lengths: json<readonly number[]>(),
};
export const INDEX_TABLE = table('indexes', INDEX);
export type Index = Omit<RecordOf<typeof INDEX>, 'collection'>;
export type IndexDefinition = Pick<Index, 'key' | 'type' | 'attributes' | 'orders' | 'lengths'>;
