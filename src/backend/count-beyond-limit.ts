/** Counts a list that is longer than its `total` can say, in some ten requests. */

/** Where Appwrite's totals end (contract 2.3). */
export const TOTAL_LIMIT = 5000;
/** A count goes in strides of the first length as far as they reach, then of the second; what is left is listed. */
const STRIDES = [5000, 500] as const;

/** @param after lists `limit` documents, `offset` behind the one with the id `cursor`, or behind the list's begin */
export async function countBeyondLimit(
  after: (cursor: string | undefined, offset: number, limit: number) => Promise<readonly { readonly $id: string }[]>,
): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  for (const stride of STRIDES) {
    for (;;) {
      const [end] = await after(cursor, stride - 1, 1);
      if (!end) break;
      count += stride;
      cursor = end.$id;
    }
  }
  return count + (await after(cursor, 0, STRIDES[1])).length;
}
