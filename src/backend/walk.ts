import { Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';

export type List<Item> = (queries: string[]) => Promise<readonly Item[]>;

/**
 * Yields a complete list, one page of `size` items at a time, in the order in which `list` returns it. If the last item
 * of a page is deleted before the next page is requested, continues after the item before it.
 * @throws the SDK's error
 */
export async function* pages<Item extends { readonly $id: string }>(
  list: List<Item>,
  size = 100,
): AsyncGenerator<readonly Item[], void, void> {
  let known: readonly Item[] = [];
  for (;;) {
    const page = await pageBehind(list, size, known);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    known = page;
  }
}

export async function* items<Item extends { readonly $id: string }>(
  list: List<Item>,
  size?: number,
): AsyncGenerator<Item, void, void> {
  for await (const page of pages(list, size)) yield* page;
}

async function pageBehind<Item extends { readonly $id: string }>(
  list: List<Item>,
  size: number,
  known: readonly Item[],
): Promise<readonly Item[]> {
  for (let last = known.length - 1; ; last--) {
    const cursor = known[last]?.$id;
    try {
      return await list([Query.limit(size), ...(cursor ? [Query.cursorAfter(cursor)] : [])]);
    } catch (error) {
      if (last <= 0 || faultOf(error).type !== 'general_cursor_not_found') throw error;
    }
  }
}
