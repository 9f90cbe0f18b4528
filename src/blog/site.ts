import type { Language } from './messages/language.ts';

/** What every page and island knows about the site: public, safe to print into HTML. */
export interface Site {
  readonly name: string;
  readonly tagline: string;
  /** Of the interface, and of posts whose language cannot be told. */
  readonly language: Language;
  /** Absolute address without a trailing slash, e.g. `https://example.com`. */
  readonly url: string;
  /** The browser's Appwrite endpoint: `/v1` (this site) or an absolute address. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly collectionId: string;
  /** The collection of former versions; a backend may lack it. */
  readonly revisionsId: string;
  readonly bucketId: string;
  /** Of the pictures that the backend makes for pages; absent: `webp`, which every backend can make. */
  readonly pictureFormat?: 'avif' | 'webp';
}
