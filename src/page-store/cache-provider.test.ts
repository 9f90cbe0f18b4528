import { expect, test } from 'vitest';
import { cacheDirectivesOf } from './cache-directives.ts';
import pageStoreProvider from './cache-provider.ts';

const headersOf = (options: Parameters<NonNullable<ReturnType<typeof pageStoreProvider>['setHeaders']>>[0]) =>
  pageStoreProvider(undefined).setHeaders?.(options, new Request('http://x/')) ?? new Headers();

test('passes Astro.cache.set to the store', () => {
  const directives = { maxAge: 60, tags: ['post:x', 'posts', 'über, 1'] };
  expect(cacheDirectivesOf(new Response('', { headers: headersOf(directives) }))).toEqual(directives);
});

test('does not store a page with tags but no maxAge', () => {
  expect(cacheDirectivesOf(new Response('', { headers: headersOf({ tags: ['posts'] }) }))).toBeUndefined();
  expect(cacheDirectivesOf(new Response('', { headers: headersOf({ maxAge: 0 }) }))).toBeUndefined();
});

test('has no onRequest, so Astro leaves the headers to the server', () =>
  expect(pageStoreProvider(undefined)).not.toHaveProperty('onRequest'));

test('throws for cache.invalidate and names the replacement', async () => {
  await expect(pageStoreProvider(undefined).invalidate({ tags: ['posts'] })).rejects.toThrow('publishing.revalidate');
});
