import type { Attribute } from '../catalogue/model.ts';
import { INTEGER_MAX, INTEGER_MIN, KINDS } from './kinds.ts';

/** Keeps digits that a JavaScript number would round; TypeScript's library does not declare it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

const exact = (number: number | bigint): unknown =>
  typeof number === 'bigint' && !Number.isSafeInteger(Number(number)) ? rawJSON(String(number)) : Number(number);

function ownFields(attribute: Attribute): Record<string, unknown> {
  const { format, stored } = KINDS[attribute.kind];
  if (attribute.kind === 'enum') return { elements: attribute.elements, format };
  if (stored === 'integer') {
    return { min: exact(attribute.min ?? INTEGER_MIN), max: exact(attribute.max ?? INTEGER_MAX) };
  }
  if (stored === 'float') {
    return { min: attribute.min ?? -Number.MAX_VALUE, max: attribute.max ?? Number.MAX_VALUE };
  }
  if (format !== undefined) return { format };
  if (attribute.kind === 'string' || attribute.kind === 'varchar') return { size: attribute.size, encrypt: false };
  return stored === 'string' ? { encrypt: false } : {};
}

export function attributeJson(attribute: Attribute): Record<string, unknown> {
  return {
    key: attribute.key,
    type: KINDS[attribute.kind].type,
    status: 'available',
    error: '',
    required: attribute.required,
    array: attribute.array,
    $createdAt: attribute.created,
    $updatedAt: attribute.updated,
    ...ownFields(attribute),
    default: attribute.default,
  };
}
