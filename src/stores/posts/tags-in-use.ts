import { TAGS_IN_USE } from '#blog/routes/paths.ts';

export interface TagInUse {
  readonly slug: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly posts: number;
}

/** Returns the tags in use, most used first; empty on failure. */
export async function tagsInUse(): Promise<readonly TagInUse[]> {
  try {
    const response = await fetch(TAGS_IN_USE, { cache: 'no-cache' });
    const { tags } = (await response.json()) as { tags: TagInUse[] };
    return tags.toSorted((a, b) => b.posts - a.posts);
  } catch {
    return [];
  }
}
