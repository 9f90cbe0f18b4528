/** Reads and writes JSON without rounding integers beyond 2^53. They are `bigint` in values, plain digits in JSON. */

/** Matches integers of 16 or more digits, which may exceed the safe range. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

// TypeScript's library does not declare `JSON.rawJSON` yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Parses JSON. Throws `SyntaxError` when `text` is not JSON. */
export function parseExact(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

export function exactText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A TypeError means that `value` contains a `bigint`. Only then is the slow replacer needed.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? rawJSON(String(part)) : part));
  }
}
