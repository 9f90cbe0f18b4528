/** A site for tests that need no backend. */
import type { Site } from '#blog/site.ts';

export const SITE: Site = {
  ...{ name: 'Ink', tagline: '', language: 'en', url: 'https://blog.example', endpoint: '/v1' },
  ...{ projectId: 'p', databaseId: 'd', collectionId: 'c', revisionsId: 'r', bucketId: 'media' },
};
