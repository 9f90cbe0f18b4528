import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheDirectiveHeaders } from '#page-store/cache-directives.ts';
import { ownFolder } from '../../tests/support/folder.ts';
import { openContext, type SiteContext } from './astro/context.ts';
import { readConfiguration } from './configuration.ts';
import { openPublishing, type Publishing } from './publishing.ts';

let publishing: Publishing;
let context: SiteContext;
let dataDirectory: string;
let rendered: string[];
beforeEach(() => {
  rendered = [];
  dataDirectory = ownFolder();
  const configuration = readConfiguration({ DATA_DIR: dataDirectory });
  const isStored = (path: string) => publishing.locals.explain(path) !== undefined;
  context = openContext(configuration, { isToldOfWrites: true, isStored });
  publishing = openPublishing(configuration, {
    reader: context.reader,
    redirects: context.redirects,
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

test('an old address of a stored post redirects without a request to the backend', async () => {
  await tell('create');
  await publishing.locals.revalidate({ slugs: ['ink'], from: 'writer' });
  writeFileSync(join(dataDirectory, 'redirects'), '/?p=1 /post/ink\n/?p=2 /post/draft\n');
  const post = vi.spyOn(context.reader, 'post').mockResolvedValue(undefined);
  expect(await context.redirects.targetOf('/?p=1')).toBe('/post/ink');
  expect(post).not.toHaveBeenCalled();
  expect(await context.redirects.targetOf('/?p=2')).toBeUndefined();
  expect(post).toHaveBeenCalledExactlyOnceWith('draft');
});
