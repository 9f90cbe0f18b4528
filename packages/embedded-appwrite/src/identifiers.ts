/** Ids and dates in the contract's form (1.1). */
import { randomInt } from 'node:crypto';

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,35}$/;

export const idRule = (length: number): string =>
  `Parameter must contain at most ${length} chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char`;

const RANDOM_TAIL = 0x10000000; // 7 hex digits

export function isId(text: string): boolean {
  return ID.test(text);
}

/** Returns 20 hex digits, like the SDK's `ID.unique()`: seconds (8), microseconds (5), random (7). */
export function uniqueId(): string {
  const microseconds = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  const seconds = Math.floor(microseconds / 1_000_000);
  return (
    seconds.toString(16).padStart(8, '0') +
    (microseconds % 1_000_000).toString(16).padStart(5, '0') +
    randomInt(RANDOM_TAIL).toString(16).padStart(7, '0')
  );
}

export function now(): string {
  return dateText(Date.now());
}

/** Formats milliseconds since 1970 as `YYYY-MM-DDTHH:mm:ss.SSS+00:00`. */
export function dateText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}+00:00`;
}
