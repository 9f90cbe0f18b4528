import { expect, test } from 'vitest';
import { cacheDirectivesOf } from './cache-directives.ts';
import pageStoreProvider from './cache-provider.ts';

const headersOf = (options: Parameters<NonNullable<ReturnType<typeof pageStoreProvider>['setHeaders']>>[0]) =>
  pageStoreProvider(undefined).setHeaders?.(options, new Request('http://x/')) ?? new Headers();

test('what a page says to Astro.cache.set reaches the store', () => {
  const headers = headersOf({ maxAge: 60, tags: ['post:x', 'posts', 'über, 1'] });
  expect(cacheDirectivesOf(new Response('', { headers }))).toEqual({
    maxAge: 60,
    tags: ['post:x', 'posts', 'über, 1'],
  });
});

test('tags without a time are no wish to be stored', () => {
  expect(cacheDirectivesOf(new Response('', { headers: headersOf({ tags: ['posts'] }) }))).toBeUndefined();
  expect(cacheDirectivesOf(new Response('', { headers: headersOf({ maxAge: 0 }) }))).toBeUndefined();
});

test('it has no onRequest: Astro leaves the headers to the server before it', () => {
  expect(pageStoreProvider(undefined)).not.toHaveProperty('onRequest');
});

test('cache.invalidate, which knows no store, says who invalidates pages', async () => {
  await expect(pageStoreProvider(undefined).invalidate({ tags: ['posts'] })).rejects.toThrow('publishing.revalidate');
});
