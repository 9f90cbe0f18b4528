/** JSON whose whole numbers beyond 2^53 are not rounded: they are `bigint` here, plain digits outside. */

/** Whole numbers of so many digits may be beyond what a JavaScript number holds exactly. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

// The types of the language version we compile for do not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Throws `SyntaxError` for what is not JSON. */
export function parseExact(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

/** JSON of a value that may hold `bigint`. */
export function exactText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The rare case pays for itself; the common one needs no replacer.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? rawJSON(String(part)) : part));
  }
}
