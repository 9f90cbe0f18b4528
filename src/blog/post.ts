/** A post as the product knows it, whatever backend it came from. */

export const POST_STATUSES = ['active', 'inactive'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

export interface Post {
  /** `$id` of the document; equals the slug (spec 3). */
  readonly id: string;
  readonly title: string;
  /** Stored HTML; pass it through `content/sanitise` before it is shown. */
  readonly content: string;
  /** Id of a stored file; empty when there is none. */
  readonly featuredImage: string;
  readonly status: PostStatus;
  /** The author's `$id`. */
  readonly userId: string;
  /** ISO dates. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly permissions: readonly string[];
}

/** A post as lists carry it: everything but the text. */
export type PostSummary = Omit<Post, 'content'>;
