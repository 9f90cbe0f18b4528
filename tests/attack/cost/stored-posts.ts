import type { RunningSite, Writer } from '../../e2e/site.ts';
import { createPosts } from '../../support/bulk-posts.ts';
import { article } from './texts.ts';

/** Stores `count` posts of ordinary size directly in the backend. */
export const storePosts = (site: RunningSite, owner: Writer, count: number, featuredImage = ''): Promise<void> =>
  createPosts(site.admin(), owner.id, count, (n) => ({
    title: `Post ${n} on paper and ink`,
    content: article(5000 + ((n * 7919) % 15_000), n),
    featuredImage,
  }));
