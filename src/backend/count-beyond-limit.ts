/** Counts a list beyond Appwrite's limit, in about ten requests. */

/** Appwrite's totals end here (contract 2.3). */
export const TOTAL_LIMIT = 5000;
/** Counts in strides of the first length, then of the second, and lists the rest. */
const STRIDES = [5000, 500] as const;

/** @param after lists `limit` documents, `offset` after the one with the id `cursor`, or from the start of the list */
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
