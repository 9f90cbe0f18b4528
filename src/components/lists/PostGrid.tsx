/** Renders all cards of a page in one React tree, because Astro renders each root twice (decision 009). */
import type { PostSummary } from '#blog/post.ts';
import type { Site } from '#blog/site.ts';
import { PostCard } from './PostCard.tsx';

interface PostGridProps {
  readonly site: Site;
  readonly posts: readonly PostSummary[];
  /** Author names by id; absent on an author's own page. */
  readonly authors?: ReadonlyMap<string, string>;
  /** Number of cards in the initial viewport. */
  readonly first?: number;
}

export function PostGrid({ site, posts, authors, first = 2 }: PostGridProps) {
  return (
    <div className="post-grid">
      {posts.map((post, index) => (
        <PostCard key={post.id} site={site} post={post} author={authors?.get(post.userId)} priority={index < first} />
      ))}
    </div>
  );
}
