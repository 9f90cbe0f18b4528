/** Reads lists of long documents, halving each request whose response would be too long. */

import { faultOf } from '#blog/errors.ts';

/** The embedded backend's error for a response that would be too long. Appwrite has no such limit. */
const TOO_LONG = 'general_query_limit_exceeded';

/**
 * Returns up to `limit` posts starting at `offset`, without duplicates. `ask` reads one part and drops unneeded fields,
 * so that the full texts of a long list are never all in memory at once.
 * @throws the SDK's error, including for a single document that is too long
 */
export async function listInParts<Listed extends { readonly id: string }>(
  ask: (limit: number, offset: number) => Promise<readonly Listed[]>,
  limit: number,
  offset = 0,
): Promise<readonly Listed[]> {
  try {
    return await ask(limit, offset);
  } catch (error) {
    if (limit <= 1 || faultOf(error).type !== TOO_LONG) throw error;
  }
  const half = Math.ceil(limit / 2);
  const first = await listInParts(ask, half, offset);
  if (first.length < half) return first;
  const known = new Set(first.map(({ id }) => id));
  const rest = await listInParts(ask, limit - half, offset + half);
  return [...first, ...rest.filter(({ id }) => !known.has(id))];
}
