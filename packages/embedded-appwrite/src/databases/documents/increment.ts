/** Increments a stored number within one write, so concurrent increments add up. */
import { AppwriteError } from '../../http/errors.ts';
import { KINDS } from '../attributes/kinds.ts';
import type { SqlValue } from '../query/schema.ts';
import { type Change, type Changed, patchDocument } from './change.ts';
import { requireRight } from './rights.ts';

export interface Step {
  readonly attribute: string;
  /** Negative to subtract. */
  readonly by: number | bigint;
  /** Limit for the result: a maximum if `by` is positive, a minimum if it is negative. */
  readonly limit: number | bigint | undefined;
}

function sum(stored: SqlValue, by: number | bigint, whole: boolean): number | bigint {
  if (!whole) return Number(stored ?? 0) + Number(by);
  const total = BigInt(stored ?? 0) + BigInt(by);
  return Number.isSafeInteger(Number(total)) ? Number(total) : total;
}

/** Throws 404 for an unknown document or attribute, 400 for a non-numeric attribute or a result beyond the limit. */
export function incrementDocument(change: Omit<Change, 'data' | 'permissions'>, step: Step): Changed {
  const { table, caller, id } = change;
  const position = table.collection.attributes.findIndex(({ key }) => key === step.attribute);
  const attribute = table.collection.attributes[position];
  const old = table.find(id);
  if (!old) throw AppwriteError.about('document_not_found', id);
  if (!attribute) throw AppwriteError.about('attribute_not_found', step.attribute);
  const { stored } = KINDS[attribute.kind];
  const whole = stored === 'integer';
  if (attribute.array || (!whole && stored !== 'float')) {
    throw new AppwriteError('attribute_type_invalid', `Attribute "${step.attribute}" is not a number`);
  }
  if (whole && typeof step.by === 'number' && !Number.isInteger(step.by)) {
    throw new AppwriteError('attribute_type_invalid', `Attribute "${step.attribute}" takes whole numbers only`);
  }
  requireRight(table.collection, caller, 'update', old.permissions);
  const result = sum(old.values[position] ?? null, step.by, whole);
  if (step.limit !== undefined && (step.by > 0 ? result > step.limit : result < step.limit)) {
    const bound = step.by > 0 ? 'maximum' : 'minimum';
    throw new AppwriteError(
      'attribute_limit_exceeded',
      `Attribute "${step.attribute}" has reached the ${bound} value of ${step.limit}`,
    );
  }
  return patchDocument({ ...change, data: { [step.attribute]: result }, permissions: undefined });
}
