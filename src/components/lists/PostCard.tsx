import { languageOfScript } from '#blog/content/detect-script.ts';
import { postText } from '#blog/messages.ts';
import { hasByline, type Post, type PostSummary } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import type { Site } from '#blog/site.ts';
import { type ListLayout, showsPictures } from '#blog/theme/looks/layouts.ts';
import { Byline } from '../article/Byline.tsx';
import { FeaturedImage } from '../article/pictures.tsx';

export interface PostCardProps {
  readonly site: Site;
  readonly post: Pick<Post, 'id' | 'title' | 'featuredImage' | 'featuredImageAlt' | 'language' | 'kind' | 'createdAt'>;
  readonly author?: string | undefined;
  readonly priority?: boolean;
  readonly list?: ListLayout;
  readonly words?: string | undefined;
}

/** Values of `sizes` for a card's picture: in a grid of one to four columns, and in other lists. */
const SIZES = '(min-width:80rem) 18rem,(min-width:64rem) 30vw,(min-width:40rem) 46vw,92vw';
const OTHER_SIZES: Partial<Record<ListLayout, string>> = {
  entries: '(min-width:52rem) 41rem,92vw',
  grid: '(min-width:64rem) 48vw,(min-width:43rem) 46vw,92vw',
  rows: '9rem',
};

export function PostCard({ site, post, author, priority = false, list = 'lead', words }: PostCardProps) {
  return (
    <article className="card">
      {post.featuredImage && showsPictures(list) && (
        <FeaturedImage
          site={site}
          fileId={post.featuredImage}
          alt={post.featuredImageAlt}
          sizes={OTHER_SIZES[list] ?? SIZES}
          priority={priority}
        />
      )}
      <h2 className="card-title" lang={languageOfScript(post.title) ?? (post.language || undefined)} dir="auto">
        <a href={addressOfPost(post)} className="card-link">
          {post.title}
        </a>
      </h2>
      {words && (
        <p className="card-words" lang={languageOfScript(words) ?? (post.language || undefined)} dir="auto">
          {words}
        </p>
      )}
      {hasByline(post) && <Byline author={author} iso={post.createdAt} zone={site.timeZone} />}
      <p className="card-more" aria-hidden="true">
        {postText.readMore}
      </p>
    </article>
  );
}

interface PostGridProps {
  readonly site: Site;
  readonly posts: readonly PostSummary[];
  /** Author names by user id; absent on an author's own page. */
  readonly authors?: ReadonlyMap<string, string>;
  /** Number of cards in the initial viewport. */
  readonly first?: number;
  readonly list?: ListLayout;
  /** On page 1, the first post's excerpt or else the start of its text. Only cards in the layout `entries` show it. */
  readonly leadWords?: string;
}

/** Renders all cards of a page in one React tree, because Astro renders each React root twice (decision 009). */
export function PostGrid({ site, posts, authors, first = 2, list = 'lead', leadWords = '' }: PostGridProps) {
  return (
    <div className={list === 'lead' ? 'post-grid' : `list-${list}`}>
      {posts.map((post, index) => (
        <PostCard
          key={post.id}
          site={site}
          post={post}
          author={authors?.get(post.userId)}
          priority={index < first}
          list={list}
          {...(list === 'entries' && { words: (index === 0 && leadWords) || post.excerpt })}
        />
      ))}
    </div>
  );
}
