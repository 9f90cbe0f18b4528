/** Counts a list that is longer than Appwrite's `total` can report, in about ten requests. */

/** Largest `total` that Appwrite returns (contract 2.3). */
export const TOTAL_LIMIT = 5000;
/** The count skips ahead by 5000 documents at a time, then by 500, and lists the remaining ones. */
const STRIDES = [5000, 500] as const;

/** @param after lists up to `limit` documents after `cursor` (or from the start), skipping the first `offset` */
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
