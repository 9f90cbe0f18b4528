import { languageOfScript } from '#blog/content/detect-script.ts';
import { postText } from '#blog/messages.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Site } from '#blog/site.ts';
import { Byline } from '../article/Byline.tsx';
import { FeaturedImage } from '../article/pictures.tsx';

export interface PostCardProps {
  readonly site: Site;
  readonly post: Pick<Post, 'id' | 'title' | 'featuredImage' | 'featuredImageAlt' | 'language' | 'createdAt'>;
  readonly author?: string | undefined;
  readonly priority?: boolean;
}

/** Width of a card's picture in a grid of one to four columns. */
const SIZES = '(min-width:80rem) 18rem,(min-width:64rem) 30vw,(min-width:40rem) 46vw,92vw';

export function PostCard({ site, post, author, priority = false }: PostCardProps) {
  return (
    <article className="card">
      {post.featuredImage && (
        <FeaturedImage
          site={site}
          fileId={post.featuredImage}
          alt={post.featuredImageAlt}
          sizes={SIZES}
          priority={priority}
        />
      )}
      <h2 className="card-title" lang={languageOfScript(post.title) ?? (post.language || undefined)} dir="auto">
        <a href={postPath(post.id)} className="card-link">
          {post.title}
        </a>
      </h2>
      <Byline author={author} iso={post.createdAt} zone={site.timeZone} />
      <p className="card-more" aria-hidden="true">
        {postText.readMore}
      </p>
    </article>
  );
}

interface PostGridProps {
  readonly site: Site;
  readonly posts: readonly PostSummary[];
  /** Author names by id; absent on an author's own page. */
  readonly authors?: ReadonlyMap<string, string>;
  /** Number of cards in the initial viewport. */
  readonly first?: number;
}

/** Renders all cards of a page in one React tree, because Astro renders each root twice (decision 009). */
export function PostGrid({ site, posts, authors, first = 2 }: PostGridProps) {
  return (
    <div className="post-grid">
      {posts.map((post, index) => (
        <PostCard key={post.id} site={site} post={post} author={authors?.get(post.userId)} priority={index < first} />
      ))}
    </div>
  );
}
