import { cpSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRevalidate } from '#publishing/revalidate.ts';
import { ownFolder } from '../../tests/support/folder.ts';
import { startSite } from '../../tests/support/store/site.ts';

const LOG = 'index.sqlite-wal';

/**
 * Copies a running store's folder after a deletion is confirmed. With `areFilesBack`, copies all files except the index
 * before the deletion. Returns the copy and the deleted page's ETag.
 */
async function folderAfterDeletion(areFilesBack: boolean) {
  const site = await startSite();
  onTestFinished(() => site.close());
  site.pages.set('/post/gone', { html: 'the words', tags: ['post:gone'] });
  site.pages.set('/', { html: 'list of the words', tags: ['posts', 'post:gone'] });
  for (const path of site.pages.keys()) await site.get(path);
  await site.restart();
  const copy = join(ownFolder(), 'pages');
  if (areFilesBack) cpSync(site.directory, copy, { recursive: true });
  const { etag } = (await site.get('/post/gone')).headers;
  site.pages.delete('/post/gone');
  site.pages.set('/', { html: 'list without', tags: ['posts'] });
  await createRevalidate({ store: site.store, log: () => undefined })({ slugs: ['gone'], from: 'webhook' });
  if (!areFilesBack) cpSync(site.directory, copy, { recursive: true });
  else for (const name of ['index.sqlite', LOG]) cpSync(join(site.directory, name), join(copy, name));
  return { copy, etag: `${etag}` };
}

const CUTS: [size: number, areBack: boolean][] = [
  ...[0, 32, 5000].map((size): [number, boolean] => [size, false]),
  ...[0, 5000].map((size): [number, boolean] => [size, true]),
];
test.each(CUTS)('a deleted page stays so with a log cut to %i bytes, its files restored: %j', async (size, areBack) => {
  const { copy, etag } = await folderAfterDeletion(areBack);
  truncateSync(join(copy, LOG), size);
  const site = await startSite({ directory: copy });
  onTestFinished(() => site.close());
  site.pages.set('/', { html: 'list without', tags: ['posts'] });
  // Renders wait for `render()`, so any response before that call can only come from the store.
  const { promise: renders, resolve: render } = Promise.withResolvers<void>();
  site.gate.before = () => renders;
  const plain = [site.get('/post/gone'), site.get('/')];
  const asked = [site.get('/post/gone', { 'if-none-match': etag }), site.get('/post/gone', {}, 'HEAD'), ...plain];
  await expect.poll(() => site.requests).toBe(4);
  render();
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 200]);
  expect(answers[3]?.text).toBe('list without');
});
