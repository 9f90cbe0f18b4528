import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAssets } from '#server/kept-assets.ts';
import { expect, ownSite, removeSite, test } from './site.ts';

test('after a new build the scripts of the one before are still served, for good @embedded', async () => {
  const site = await ownSite();
  const former = mkdtempSync(join(tmpdir(), 'common-ink-build-'));
  try {
    await site.stop();
    // The last start ran another build.
    mkdirSync(join(former, 'fonts'));
    writeFileSync(join(former, 'Header.former.js'), 'export default 1;');
    writeFileSync(join(former, 'fonts', 'former.woff2'), 'font');
    openAssets({ built: former, kept: join(site.dataDirectory, 'assets'), log: () => undefined });
    await site.start();
    const page = await (await fetch(`${site.url}/login`)).text();
    const present = /\/_astro\/[\w.-]+\.js/.exec(page)?.[0];
    for (const path of ['/_astro/Header.former.js', '/_astro/fonts/former.woff2', present]) {
      const response = await fetch(site.url + path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await fetch(`${site.url}/_astro/Header.never.js`)).status).toBe(404);
  } finally {
    rmSync(former, { recursive: true });
    await removeSite(site);
  }
});

test('a server whose build is taken away goes on with all pages until it is started again @embedded', async () => {
  // The build resolves its packages from there.
  mkdirSync('node_modules/.cache', { recursive: true });
  const build = mkdtempSync('node_modules/.cache/build-');
  cpSync('dist', build, { recursive: true });
  const site = await ownSite({ build });
  try {
    const writer = await site.writer();
    await expect.poll(() => site.said).toContain('Every page is loaded');
    rmSync(build, { recursive: true });
    const post = await site.post(writer);
    for (const [path, status] of [
      ['/', 200],
      [`/post/${post.id}`, 200],
      ['/feed.xml', 200],
      ['/archive', 200],
      [`/author/${writer.id}`, 200],
      ['/search?q=text', 200],
      ['/add-post', 200],
      ['/nothing', 404],
      ['/%', 400],
    ] as const)
      expect([path, (await fetch(site.url + path)).status]).toEqual([path, status]);
    const script = /\/_astro\/[\w.-]+\.js/.exec(await (await fetch(`${site.url}/login`)).text())?.[0];
    expect((await fetch(site.url + script)).status).toBe(200);
    expect(site.said).not.toContain('ERR_MODULE_NOT_FOUND');
  } finally {
    rmSync(build, { recursive: true, force: true });
    await removeSite(site);
  }
});
