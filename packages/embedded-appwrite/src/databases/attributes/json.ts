import type { Attribute } from '../catalogue/model.ts';
import { INTEGER_MAX, INTEGER_MIN, KINDS } from './kinds.ts';

function ownFields(attribute: Attribute): Record<string, unknown> {
  const { format, stored } = KINDS[attribute.kind];
  if (attribute.kind === 'enum') return { elements: attribute.elements, format };
  if (stored === 'integer') return { min: attribute.min ?? INTEGER_MIN, max: attribute.max ?? INTEGER_MAX };
  if (stored === 'float') {
    return { min: attribute.min ?? -Number.MAX_VALUE, max: attribute.max ?? Number.MAX_VALUE };
  }
  if (format !== undefined) return { format };
  if (attribute.kind === 'string' || attribute.kind === 'varchar') return { size: attribute.size, encrypt: false };
  return stored === 'string' ? { encrypt: false } : {};
}

/** Returns an attribute in the API's form. Bounds may be `bigint`, which `exactText` writes in full. */
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
