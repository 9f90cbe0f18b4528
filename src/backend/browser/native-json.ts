/**
 * What the SDK takes from `json-bigint` in the browser, by the browser's own JSON: a tenth of the bytes, and a long
 * post is not read letter by letter. The build puts it in that package's place (`server/astro/bundle-aliases.ts`).
 */

/** Whole numbers beyond what a number holds exactly come as `bigint`, as the SDK gives them. */
function parse(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) => {
    const source = typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? '') : '';
    const exact = /^-?\d+$/.test(source) ? BigInt(source) : value;
    return reviver ? reviver(key, exact) : exact;
  });
}

const nativeJson = () => ({ parse, stringify: JSON.stringify });

export default nativeJson;
