/** Validators for request parameters, with the error messages of the contract (1.1). */

import type { Caller } from '../caller.ts';
import { idRule, isId, uniqueId } from '../identifiers.ts';
import { type Action, expandPermissions, permissionFault } from '../permissions.ts';
import { AppwriteError } from './errors.ts';
import type { Param } from './route.ts';

export interface Validator<T> {
  readonly description: string;
  read(raw: unknown, caller: Caller): T;
}

const UID =
  "UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. Can't start with a leading underscore";
/** A practical subset of RFC 5321: a dot-atom of up to 64 characters, `@`, and a host name with a dot; 254 in total. */
const EMAIL =
  /^(?=.{3,254}$)(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const INTEGER = /^-?\d+$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

export const invalid = (text: string): AppwriteError => new AppwriteError('general_argument_invalid', text);
export const isInvalid = (error: unknown): error is AppwriteError =>
  error instanceof AppwriteError && error.type === 'general_argument_invalid';

export function required<T>(validator: Validator<T>): Param<T> {
  return { required: true, fallback: undefined as never, read: validator.read };
}

export function optional<T, F>(validator: Validator<T>, fallback: F): Param<T | F> {
  return { required: false, fallback, read: validator.read };
}

/** Reads the parameter `name`. Throws 400 `general_argument_invalid` unless `raw` is valid. */
export function readParam<T>(name: string, param: Param<T>, raw: unknown, caller: Caller): T {
  if (raw === undefined || raw === null) {
    if (param.required) throw invalid(`Param "${name}" is not optional.`);
    return param.fallback;
  }
  try {
    return param.read(raw, caller);
  } catch (error) {
    throw isInvalid(error) ? invalid(`Invalid \`${name}\` param: ${error.message}`) : error;
  }
}

/** Returns a validator; `read` returns the value, or `undefined` to reject it. */
export function validator<T>(description: string, read: (raw: unknown, caller: Caller) => T | undefined): Validator<T> {
  return {
    description,
    read(raw, caller) {
      const value = read(raw, caller);
      if (value === undefined) throw invalid(description);
      return value;
    },
  };
}

const isPair = (high: number, low: number): boolean => (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00;

/** Returns true if `text` has more than `max` code points. */
export function longerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  // Loops over UTF-16 units, because iterating over code points would allocate a string for each.
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPair(text.charCodeAt(i - 1), text.charCodeAt(i))) count--;
  return count > max;
}

export const isEmail = (text: string): boolean => EMAIL.test(text);

export function text(max: number, { min = 1 }: { min?: number } = {}): Validator<string> {
  const lower = min > 0 ? ` and at least ${min} chars` : '';
  return validator(`Value must be a valid string${lower} and no longer than ${max} chars`, (raw) =>
    typeof raw === 'string' && raw.length >= min && !longerThan(raw, max) ? raw : undefined,
  );
}

/** Accepts the id of a new resource; `unique()` becomes a fresh id. */
export function customId(): Validator<string> {
  return validator(idRule(36), (raw) => {
    if (raw === 'unique()') return uniqueId();
    return typeof raw === 'string' && isId(raw) ? raw : undefined;
  });
}

export function uid(): Validator<string> {
  return validator(UID, (raw) => (typeof raw === 'string' && isId(raw) ? raw : undefined));
}

/** Accepts an email address and returns it in lower case. */
export function email({ allowEmpty = false }: { allowEmpty?: boolean } = {}): Validator<string> {
  return validator('Value must be a valid email address', (raw) => {
    if (typeof raw !== 'string') return undefined;
    return EMAIL.test(raw) || (allowEmpty && raw === '') ? raw.toLowerCase() : undefined;
  });
}

export function whitelist<const V extends string>(values: readonly V[]): Validator<V> {
  return validator(`Value must be one of (${values.join(', ')})`, (raw) => values.find((value) => value === raw));
}

function toNumber(raw: unknown, form: RegExp): number {
  if (typeof raw === 'string' && form.test(raw)) return Number(raw);
  return typeof raw === 'number' ? raw : Number.NaN;
}

/** Accepts an integer (with `float`, any number) from `min` to `max`, as a number or a decimal string. */
export function range(min: number, max: number, { float = false }: { float?: boolean } = {}): Validator<number> {
  const shown = (bound: number) => bound.toLocaleString('en-US', { maximumFractionDigits: 20 });
  return validator(`Value must be a valid range between ${shown(min)} and ${shown(max)}`, (raw) => {
    const value = toNumber(raw, float ? NUMBER : INTEGER);
    return (float ? Number.isFinite(value) : Number.isInteger(value)) && value >= min && value <= max
      ? value
      : undefined;
  });
}

const TRUE: readonly unknown[] = [true, 'true', 1, '1'];
const FALSE: readonly unknown[] = [false, 'false', 0, '0'];

/** Accepts a boolean, `0` or `1`, and each of these as a string. */
export function boolean(): Validator<boolean> {
  return validator('Value must be a valid boolean', (raw) =>
    TRUE.includes(raw) ? true : FALSE.includes(raw) ? false : undefined,
  );
}

export function list<T>(item: Validator<T>, max = 100): Validator<T[]> {
  const description = `Value must a valid array no longer than ${max} items and ${item.description}`;
  return {
    description,
    read(raw, caller) {
      if (!Array.isArray(raw) || raw.length > max) throw invalid(description);
      return raw.map((entry) => {
        try {
          return item.read(entry, caller);
        } catch (error) {
          throw isInvalid(error) ? invalid(description) : error;
        }
      });
    },
  };
}

export function object(): Validator<Record<string, unknown>> {
  return validator('Value must be a valid object', (raw) =>
    typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : undefined,
  );
}

/** Accepts at most 100 permission strings; returns them without duplicates and with `write` expanded. */
export function permissionList({ actions }: { actions: readonly Action[] }): Validator<string[]> {
  const description = 'Value must be an array of permission strings, at most 100';
  return {
    description,
    read(raw) {
      if (!Array.isArray(raw)) throw invalid('Permissions must be an array of strings.');
      if (raw.length > 100) throw invalid('You can only provide up to 100 permissions.');
      for (const entry of raw) {
        if (typeof entry !== 'string') throw invalid('Every permission must be of type string.');
        const fault = permissionFault(entry, actions);
        if (fault) throw invalid(fault);
      }
      return expandPermissions(raw, actions);
    },
  };
}

export const queries = (): Validator<string[]> => list(text(4096));
