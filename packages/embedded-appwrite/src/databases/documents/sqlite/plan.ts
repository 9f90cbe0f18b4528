import type { StatementSync } from 'node:sqlite';
import type { Store } from '../../../sqlite/store.ts';
import { INTEGER_MAX, INTEGER_MIN, KINDS } from '../../attributes/kinds.ts';
import { storedJson } from '../../attributes/values.ts';
import type { Attribute } from '../../catalogue/model.ts';
import type { SqlValue } from '../../query/schema.ts';
import { FIXED_COLUMNS } from './layout.ts';

/** A row as the plan selects it: sequence, id, created, updated, permissions, then the plan's attributes. */
export type DocumentRow = SqlValue[];

export interface RenderedDocument {
  readonly id: string;
  readonly sequence: number;
  /** The JSON without its last fields, `$databaseId` and `$collectionId`, and without the closing brace. */
  readonly json: string;
  readonly permissions: string;
}

export interface Plan {
  readonly columns: readonly string[];
  readonly byId: StatementSync;
  readonly bySequence: StatementSync;
  document(row: DocumentRow): RenderedDocument;
  values(stored: readonly SqlValue[]): Record<string, unknown>;
}

export const permissionsIn = (row: DocumentRow): string => row[FIXED_COLUMNS.indexOf('permissions')] as string;

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns true for integer attributes that may exceed 2^53. These are read as text: JavaScript would round them. */
function isWide({ kind, array, min = INTEGER_MIN, max = INTEGER_MAX }: Attribute): boolean {
  return KINDS[kind].stored === 'integer' && !array && (BigInt(min) < -SAFE || BigInt(max) > SAFE);
}

function readColumn(attribute: Attribute): string {
  return isWide(attribute) ? `CAST(${attribute.column} AS TEXT)` : attribute.column;
}

/** Returns a function that converts a stored value to JSON. An array that was never set becomes empty. */
function valueJson(attribute: Attribute): (value: SqlValue) => string {
  if (attribute.array) return (value) => (value === null ? '[]' : String(value));
  return (value) => storedJson(attribute, value);
}

/** Returns a function that decodes stored values. Strings are returned as is: a JSON round trip would copy them. */
function shownValue(attribute: Attribute): (value: SqlValue) => unknown {
  if (KINDS[attribute.kind].stored === 'string' && !attribute.array) return (value) => value;
  const json = valueJson(attribute);
  return (value) => JSON.parse(json(value));
}

export function createPlan(store: Store, table: string, attributes: readonly Attribute[]): Plan {
  const columns = [...FIXED_COLUMNS, ...attributes.map(readColumn)].join(', ');
  const prepare = (column: string): StatementSync => {
    const statement = store.prepare(`SELECT ${columns} FROM ${table} WHERE ${column} = ?`);
    statement.setReturnArrays(true);
    return statement;
  };
  const fields = attributes.map((attribute) => ({
    label: `${JSON.stringify(attribute.key)}:`,
    json: valueJson(attribute),
  }));
  const shown = attributes.map((attribute) => [attribute.key, shownValue(attribute)] as const);
  return {
    columns: attributes.map(({ column }) => column),
    byId: prepare('id'),
    bySequence: prepare('sequence'),
    document(row) {
      const [sequence, id, created, updated, permissions] = row as [number, string, string, string, string];
      let json = '{';
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i] as (typeof fields)[number];
        json += `${field.label}${field.json(row[FIXED_COLUMNS.length + i] ?? null)},`;
      }
      json += `"$id":"${id}","$sequence":"${sequence}","$createdAt":"${created}","$updatedAt":"${updated}","$permissions":${permissions}`;
      return { id, sequence, json, permissions };
    },
    values: (stored) => Object.fromEntries(shown.map(([key, show], i) => [key, show(stored[i] ?? null)])),
  };
}
