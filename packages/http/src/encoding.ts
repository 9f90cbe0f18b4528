/** Negotiates a page's encoding (RFC 9110, 12.5.3). */
import { LRUCache } from 'lru-cache';

/** Order of preference among encodings of equal weight. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Maximum cached decisions. Browsers send only a handful of different headers. */
const DECISIONS_KEPT = 200;
const LONGEST_KEPT = 120;
const decided = new LRUCache<string, Encoding>({ max: DECISIONS_KEPT });

/** Returns the encoding with the highest weight; `identity` if all are refused, because a page is better than a 406. */
export function negotiate(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity';
  const known = decided.get(acceptEncoding);
  if (known) return known;
  const encoding = decide(acceptEncoding);
  if (acceptEncoding.length <= LONGEST_KEPT) decided.set(acceptEncoding, encoding);
  return encoding;
}

function decide(acceptEncoding: string): Encoding {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (coding) weights.set(coding, weightOf(parameters));
  }
  const others = weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  let highest = 0;
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding) ?? (encoding === 'identity' ? 0 : others);
    if (weight > highest) [best, highest] = [encoding, weight];
  }
  return best;
}

/** Returns the value of the `q` parameter: 1 if it is absent, 0 if it is invalid. */
function weightOf(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  if (q === undefined) return 1;
  const value = q.slice(2).trim();
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
