import { Query } from 'node-appwrite';
import { unless } from '../unless.ts';
import { type List, pages } from '../walk.ts';

export const PAGE = 100;

/** Matches the errors of a destination that has no schema yet, as in a dry run. */
export const NOT_MADE = /^(?:database|collection|storage_bucket)_not_found$/;

/** Converts an item of the source to the item to write at the destination. */
export type Convert<Item> = (item: Item) => Item;

/** Yields pages of pairs: an item of the source, and the destination's item with the same id if there is one. */
export async function* pairs<Item extends { readonly $id: string }>(
  from: List<Item>,
  to: List<Item>,
  convert: Convert<Item> = (item) => item,
): AsyncGenerator<readonly (readonly [Item, Item | undefined])[]> {
  for await (const found of pages(from, PAGE)) {
    const page = found.map(convert);
    const ids = page.map(({ $id }) => $id);
    const there = (await unless(NOT_MADE, to([Query.equal('$id', ids), Query.limit(PAGE)]))) ?? [];
    const byId = new Map(there.map((item) => [item.$id, item]));
    yield page.map((item) => [item, byId.get(item.$id)] as const);
  }
}
