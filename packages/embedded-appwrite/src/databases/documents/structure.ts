/** Checks document data against the collection's attributes. Throws 400 `document_invalid_structure`. */
import { AppwriteError } from '../../http/errors.ts';
import { storedJson, type ValueReader, valueReader } from '../attributes/values.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { SqlValue } from '../query/schema.ts';

export type Data = Readonly<Record<string, unknown>>;

interface Field {
  readonly attribute: Attribute;
  readonly position: number;
  readonly read: ValueReader;
  readonly fallback: SqlValue;
}

/** Names that clients may send but that are dropped from the data (contract 2.3, input cleaning). */
const IGNORED = /^\$(?:id|permissions|sequence|databaseId|collectionId|tableId|collection|tenant|createdAt|updatedAt)$/;

export function structureFault(text: string): AppwriteError {
  return new AppwriteError('document_invalid_structure', `Invalid document structure: ${text}`);
}

function readItems(field: Field, value: unknown): SqlValue {
  const { attribute, read } = field;
  if (!Array.isArray(value)) throw structureFault(`Attribute "${attribute.key}" must be an array`);
  const items = value.map((item, i) => {
    if (item === null && !attribute.required) return 'null';
    const refuse = (text: string) => structureFault(`Attribute "${attribute.key}['${i}']" has invalid ${text}`);
    return storedJson(attribute, read(item, refuse));
  });
  return `[${items.join(',')}]`;
}

function readValue(field: Field, value: unknown): SqlValue {
  if (field.attribute.array) return readItems(field, value);
  return field.read(value, (text) => structureFault(`Attribute "${field.attribute.key}" has invalid ${text}`));
}

const isGiven = (data: Data, key: string): boolean => Object.hasOwn(data, key) && data[key] !== null;

export class Structure {
  readonly #fields: readonly Field[];
  readonly #byKey: ReadonlyMap<string, Field>;

  constructor(attributes: readonly Attribute[]) {
    this.#fields = attributes.map((attribute, position) => {
      const read = valueReader(attribute);
      const fallback = attribute.default === null ? null : read(attribute.default, structureFault);
      return { attribute, position, read, fallback };
    });
    this.#byKey = new Map(this.#fields.map((field) => [field.attribute.key, field]));
  }

  /** Checks required attributes, then unknown keys, then values. Returns values in the attributes' order. */
  whole(data: Data): SqlValue[] {
    return this.#read(data, undefined, (field) => isGiven(data, field.attribute.key));
  }

  /** Applies `data` to the stored values. With `everyRequired` (PUT), `data` must contain all required attributes. */
  changed(data: Data, stored: readonly SqlValue[], everyRequired: boolean): SqlValue[] {
    return this.#read(data, stored, (field) => {
      const { key } = field.attribute;
      if (isGiven(data, key)) return true;
      return !everyRequired && !Object.hasOwn(data, key) && stored[field.position] !== null;
    });
  }

  #read(data: Data, stored: readonly SqlValue[] | undefined, isPresent: (field: Field) => boolean): SqlValue[] {
    for (const field of this.#fields) {
      if (field.attribute.required && !isPresent(field)) {
        throw structureFault(`Missing required attribute "${field.attribute.key}"`);
      }
    }
    for (const key in data) {
      if (!this.#byKey.has(key) && !IGNORED.test(key)) throw structureFault(`Unknown attribute: "${key}"`);
    }
    const values = this.#fields.map((field) => (stored ? (stored[field.position] ?? null) : field.fallback));
    for (const key in data) {
      const field = this.#byKey.get(key);
      if (!field) continue;
      const value = data[key];
      values[field.position] = value === null || value === undefined ? field.fallback : readValue(field, value);
    }
    return values;
  }
}
