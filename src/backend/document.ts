/** A document of the articles collection as the product's `Post`, and back. */

import { LISTED_FIELD_NAMES, listedValues, type Post, type PostSummary, postValues } from '#blog/post.ts';

/** The shape both SDKs give a document; fields are believed only as far as their types go. */
export interface ArticleDocument {
  readonly $id: string;
  readonly $createdAt: string;
  readonly $updatedAt: string;
  readonly $permissions: readonly string[];
  readonly [attribute: string]: unknown;
}

export function postOf(document: ArticleDocument): Post {
  return { ...summaryOf(document), ...postValues(document) };
}

export function summaryOf(document: ArticleDocument): PostSummary {
  return {
    id: document.$id,
    ...listedValues(document),
    userId: text(document.userId),
    createdAt: document.$createdAt,
    updatedAt: document.$updatedAt,
    permissions: document.$permissions,
  };
}

/** A post as lists carry it, whatever came with it. */
export function withoutContent(post: PostSummary | Post): PostSummary {
  const { id, userId, createdAt, updatedAt, permissions } = post;
  return { id, ...listedValues(post), userId, createdAt, updatedAt, permissions };
}

/** What a list needs of a document: everything but the text. */
export const SUMMARY_FIELDS: string[] = [
  '$id',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  ...LISTED_FIELD_NAMES,
  'userId',
];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
