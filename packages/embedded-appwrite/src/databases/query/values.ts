import { normaliseDate } from '../dates.ts';
import type { QueryType, SqlValue } from './schema.ts';

const INTEGER_LIMIT = 2n ** 63n;

function integer(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint') return value >= -INTEGER_LIMIT && value < INTEGER_LIMIT ? value : undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  if (Number.isSafeInteger(value)) return value;
  // The driver would bind a number beyond 2^53 as a float, so it becomes a bigint.
  return integer(BigInt(value));
}

function sequence(value: unknown): SqlValue | undefined {
  const number = typeof value === 'string' && /^\d{1,18}$/.test(value) ? BigInt(value) : integer(value);
  return number !== undefined && number >= 1 ? number : undefined;
}

/** Returns the stored form of `value`, or undefined for the wrong type: nothing is coerced (contract 2.4). */
export function encodeValue(type: QueryType, value: unknown): SqlValue | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'integer':
      return integer(value);
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : undefined;
    case 'datetime':
      return typeof value === 'string' ? normaliseDate(value) : undefined;
    case 'sequence':
      return sequence(value);
  }
}
