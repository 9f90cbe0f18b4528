import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { boolean, list, optional, range, required, text, uid, type Validator, validator } from '../../http/params.ts';
import type { Param, Params } from '../../http/route.ts';
import { type AttributeInput, attributeKind, SIZE_MAX } from './definition.ts';
import { type AttributeKind, INTEGER_MAX, INTEGER_MIN, KINDS } from './kinds.ts';

const MOST_ELEMENTS = 100;
const LONGEST_ELEMENT = 255;

/** Accepts any value; the attribute's definition checks it later. */
export const anything = (): Validator<unknown> => validator('Value must be given', (raw) => raw);

const wholeNumber = (): Validator<number | bigint> =>
  validator('Value must be a valid signed 64-bit integer', (raw) => {
    if (typeof raw === 'bigint') return raw >= INTEGER_MIN && raw <= INTEGER_MAX ? raw : undefined;
    // Clients send -2^63 and 2^63 - 1 for "no bound"; clients that use doubles round the latter to 2^63.
    if (typeof raw !== 'number' || !Number.isInteger(raw)) return undefined;
    const whole = BigInt(raw);
    if (whole < INTEGER_MIN || whole > INTEGER_MAX + 1n) return undefined;
    return whole > INTEGER_MAX ? INTEGER_MAX : whole;
  });

const anyNumber = (): Validator<number> =>
  validator('Value must be a valid float', (raw) =>
    typeof raw === 'number' || typeof raw === 'bigint' ? Number(raw) : undefined,
  );

export const size = (): Validator<number> => range(1, SIZE_MAX);
export const elements = (): Validator<string[]> => list(text(LONGEST_ELEMENT), MOST_ELEMENTS);
export const bound = (kind: AttributeKind): Validator<number | bigint> =>
  KINDS[kind].stored === 'float' ? anyNumber() : wholeNumber();

/** Returns the parameters for creating an attribute of this kind, in the order in which the contract checks them. */
export function attributeParams(kind: AttributeKind): Record<string, Param<unknown>> {
  const { stored, size: fixed } = KINDS[kind];
  const params: Record<string, Param<unknown>> = { key: required(uid()) };
  if (fixed === undefined) params.size = required(size());
  if (kind === 'enum') params.elements = required(elements());
  params.required = required(boolean());
  if (stored === 'integer' || stored === 'float') {
    params.min = optional(bound(kind), undefined);
    params.max = optional(bound(kind), undefined);
  }
  params.default = optional(anything(), null);
  params.array = optional(boolean(), false);
  if (stored === 'string') params.encrypt = optional(boolean(), false);
  return params;
}

function inlineKind({ type, format }: Readonly<Record<string, unknown>>): AttributeKind {
  if (type === 'string' && typeof format === 'string' && format !== '') return attributeKind(format);
  return attributeKind(type === 'double' ? 'float' : String(type));
}

export function readInlineAttribute(raw: Readonly<Record<string, unknown>>, caller: Caller): AttributeInput {
  const kind = inlineKind(raw);
  const params = { ...attributeParams(kind), required: optional(boolean(), false) };
  return { ...readEntry('attributes', params, raw, caller), kind } as unknown as AttributeInput;
}

/** Reads one attribute or index from a new collection's request body. Throws 400 naming the invalid parameter. */
export function readEntry(
  list: 'attributes' | 'indexes',
  params: Params,
  raw: Readonly<Record<string, unknown>>,
  caller: Caller,
): Record<string, unknown> {
  const fault = (text: string) => new AppwriteError('general_argument_invalid', `Invalid \`${list}\` param: ${text}`);
  const noun = list === 'attributes' ? 'an attribute' : 'an index';
  const read = Object.entries(params).map(([name, param]): [string, unknown] => {
    const given = raw[name] ?? undefined;
    if (given === undefined && param.required) throw fault(`Param "${name}" of ${noun} is not optional.`);
    if (given === undefined) return [name, param.fallback];
    try {
      return [name, param.read(given, caller)];
    } catch (error) {
      throw error instanceof AppwriteError ? fault(`\`${name}\`: ${error.message}`) : error;
    }
  });
  return Object.fromEntries(read);
}
