import { TAGS_IN_USE } from '#blog/routes/paths.ts';

export interface TagInUse {
  readonly slug: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly posts: number;
}

let asked: Promise<readonly TagInUse[]> | undefined;

/** Returns the tags in use, most used first, fetched once; empty on failure. */
export function tagsInUse(): Promise<readonly TagInUse[]> {
  asked ??= fetchTags().catch(() => {
    asked = undefined;
    return [];
  });
  return asked;
}

/** Clears the cache of `tagsInUse`. */
export const forgetTags = (): void => {
  asked = undefined;
};

async function fetchTags(): Promise<readonly TagInUse[]> {
  const response = await fetch(TAGS_IN_USE, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${TAGS_IN_USE}: ${response.status}`);
  const { tags } = (await response.json()) as { tags: TagInUse[] };
  return tags.toSorted((a, b) => b.posts - a.posts);
}
