import type { Language } from './messages/language.ts';

/** The site's settings that are passed to every page and island. They are public, so HTML may contain them. */
export interface Site {
  readonly name: string;
  readonly tagline: string;
  /** The language of the interface, and of posts whose language cannot be detected. */
  readonly language: Language;
  readonly url: string;
  /** The Appwrite endpoint for browsers: `/v1` (this site) or an absolute URL. */
  readonly endpoint: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly collectionId: string;
  readonly revisionsId: string;
  readonly bucketId: string;
  /** The format of previews; if absent, `webp`, which every backend supports. */
  readonly pictureFormat?: 'avif' | 'webp';
  /** Posts per page of a list; 24 if absent. */
  readonly perPage?: number;
  /** IANA name of the time zone for dates on pages; UTC if absent. */
  readonly timeZone?: string;
  /** True while readers can subscribe to new posts; otherwise absent. */
  readonly newsletter?: true;
  /** True if only members may write; otherwise absent. */
  readonly membersOnly?: true;
}

/** The settings that affect lists and dates. */
export type ListSettings = Pick<Site, 'perPage' | 'timeZone'>;
