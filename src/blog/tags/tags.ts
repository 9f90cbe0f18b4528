import { tagSlug, tagSlugs } from './tag-slug.ts';

export interface Tag {
  readonly slug: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly posts: number;
}

interface Tagged {
  readonly tags?: readonly string[] | undefined;
}

/** Returns a post's tags in the author's spelling, without duplicates. `slug` is empty if the tag has no page. */
export function tagsOfPost({ tags = [] }: Tagged): { readonly name: string; readonly slug: string }[] {
  const slugs = new Set<string>();
  return tags.flatMap((name) => {
    const slug = tagSlug(name);
    if (slugs.has(slug || name)) return [];
    slugs.add(slug || name);
    return [{ name, slug }];
  });
}

export const hasTag = ({ tags }: Tagged, slug: string): boolean => tagSlugs(tags).includes(slug);

/** Maximum number of tags listed (those with the most posts) and of spellings per tag (the most frequent). */
export const TAGS_LISTED = 1000;
const SPELLINGS_LISTED = 5;

/** Returns at most `TAGS_LISTED` tags of `posts`, sorted by name. `posts` are newest first. */
export function tagsOf(posts: readonly Tagged[], locale?: string): Tag[] {
  const found = new Map<string, { posts: number; names: Map<string, number>; seenIn: Tagged }>();
  for (const post of posts) {
    for (const name of post.tags ?? []) {
      const slug = tagSlug(name);
      const tag = found.get(slug);
      if (!slug || tag?.seenIn === post) continue;
      if (!tag) found.set(slug, { posts: 1, names: new Map([[name, 1]]), seenIn: post });
      else {
        tag.seenIn = post;
        tag.posts += 1;
        tag.names.set(name, (tag.names.get(name) ?? 0) + 1);
      }
    }
  }
  const listed = [...found].sort(([, a], [, b]) => b.posts - a.posts).slice(0, TAGS_LISTED);
  const tags = listed.map(([slug, { posts, names }]) => {
    const written = [...names].sort(([, a], [, b]) => b - a).map(([name]) => name);
    return { slug, name: written[0] ?? slug, names: written.slice(0, SPELLINGS_LISTED), posts };
  });
  const { compare } = new Intl.Collator(locale);
  return tags.sort((a, b) => compare(a.name, b.name));
}

/** Returns the most frequent spelling of the tag with this slug. `posts` are newest first. */
export function nameOfTag(posts: readonly Tagged[], slug: string): string {
  const spelt = posts.map(({ tags = [] }) => ({ tags: tags.filter((name) => tagSlug(name) === slug) }));
  return tagsOf(spelt)[0]?.name ?? slug;
}
