/** A document of the articles collection as the product's `Post`, and back. */

import type { Post, PostSummary } from '#blog/post.ts';

/** The shape both SDKs give a document; fields are believed only as far as their types go. */
export interface ArticleDocument {
  readonly $id: string;
  readonly $createdAt: string;
  readonly $updatedAt: string;
  readonly $permissions: readonly string[];
  readonly [attribute: string]: unknown;
}

export function postOf(document: ArticleDocument): Post {
  return { ...summaryOf(document), content: text(document.content) };
}

export function summaryOf(document: ArticleDocument): PostSummary {
  return {
    id: document.$id,
    title: text(document.title),
    featuredImage: text(document.featuredImage),
    status: document.status === 'active' ? 'active' : 'inactive',
    userId: text(document.userId),
    createdAt: document.$createdAt,
    updatedAt: document.$updatedAt,
    permissions: document.$permissions,
  };
}

/** A post as lists carry it, whatever came with it. */
export function withoutContent(post: PostSummary | Post): PostSummary {
  const { content: _, ...summary } = { content: '', ...post };
  return summary;
}

/** What a list needs of a document: everything but the text. */
export const SUMMARY_FIELDS = [
  '$id',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  'title',
  'featuredImage',
  'status',
  'userId',
];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
