import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheDirectiveHeaders } from '#page-store/cache-directives.ts';
import { ownFolder } from '../../tests/support/folder.ts';
import { openContext } from './astro/context.ts';
import { readConfiguration } from './configuration.ts';
import { openPublishing, type Publishing } from './publishing.ts';

let publishing: Publishing;
let rendered: string[];
beforeEach(() => {
  rendered = [];
  const configuration = readConfiguration({ DATA_DIR: ownFolder() });
  const { reader, redirects } = openContext(configuration, { isToldOfWrites: true });
  publishing = openPublishing(configuration, {
    reader,
    redirects,
    async render(path) {
      rendered.push(path);
      const headers = cacheDirectiveHeaders({ maxAge: 60, tags: ['posts', 'post:ink'] });
      headers.set('content-type', 'text/html; charset=utf-8');
      return new Response(`<p>${path}</p>`, { headers });
    },
  });
});
afterEach(async () => {
  await publishing.idle();
  await publishing.close();
});

const tell = (action: 'create' | 'update', userId?: string) =>
  publishing.onEvent({
    events: [`databases.blog.collections.articles.documents.ink.${action}`],
    payload: { $id: 'ink', status: 'active', $permissions: ['read("any")'] },
    ...{ channels: [], roles: [], timestamp: '2026-01-01T00:00:00.000+00:00' },
    ...(action === 'update' && { changed: ['title'] }),
    ...(userId !== undefined && { userId }),
  });

test.each([
  ['create', 'ann'],
  ['create', undefined],
  ['update', 'ann'],
  ['update', undefined],
] as const)('a %s of a post by %s is answered when its page and home are rendered', async (action, userId) => {
  const answer = tell(action, userId);
  expect(answer).toBeInstanceOf(Promise);
  await answer;
  expect(rendered.toSorted()).toEqual(['/', '/post/ink']);
  await publishing.locals.revalidate({ slugs: ['ink'], from: 'writer' });
});
