import { expect, onTestFinished, test } from 'vitest';
import { startSite } from '../../tests/support/store/site.ts';

const MOVED = new Map([
  ['/post/of-old/', '/post/one'],
  ['/post/one/', '/post/two'],
]);

test('redirects an old address in one step, unless the page exists', async () => {
  const site = await startSite({}, undefined, async (url) => MOVED.get(url));
  onTestFinished(() => site.close());
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  for (const [from, to] of [
    ['/post/of-old/', '/post/one'],
    ['/post/one/', '/post/one'],
    ['/post/nowhere/', '/post/nowhere'],
  ]) {
    const { status, headers } = await site.get(from as string);
    expect([from, status, headers.location]).toEqual([from, 301, to]);
  }
});
