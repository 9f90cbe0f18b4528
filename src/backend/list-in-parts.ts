/** Lists that can be read however long their documents are: one that the backend refuses as too long is asked for in halves. */

import { faultOf } from '#blog/errors.ts';

/** Type of the embedded backend's refusal; Appwrite has no such bound. */
const TOO_LONG = 'general_query_limit_exceeded';

/**
 * Returns up to `limit` posts from `offset` on, each once. `ask` reads one part and keeps only what is needed of each
 * document, so that the whole of a long list is never in memory.
 * @throws the SDK's error, also where a single document is too long.
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
