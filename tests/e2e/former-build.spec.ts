import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAssets } from '#server/kept-assets.ts';
import { expect, ownSite, test } from './site.ts';

test('after a new build the scripts of the one before are still served, for good @embedded', async () => {
  await using site = await ownSite();
  const former = mkdtempSync(join(tmpdir(), 'common-ink-build-'));
  try {
    await site.stop();
    // The last start ran another build.
    mkdirSync(join(former, 'fonts'));
    writeFileSync(join(former, 'Header.former.js'), 'export default 1;');
    writeFileSync(join(former, 'fonts', 'former.woff2'), 'font');
    openAssets({ built: former, kept: join(site.dataDirectory, 'assets'), log: () => undefined });
    await site.start();
    const present = /\/_astro\/[\w.-]+\.js/.exec(await site.text('/login'))?.[0];
    for (const path of ['/_astro/Header.former.js', '/_astro/fonts/former.woff2', present]) {
      const response = await fetch(site.url + path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
    }
    expect(await site.status('/_astro/Header.never.js')).toBe(404);
  } finally {
    rmSync(former, { recursive: true });
  }
});

test('a server whose build is taken away goes on with all pages until it is started again @embedded', async () => {
  // The build resolves its packages from there.
  mkdirSync('node_modules/.cache', { recursive: true });
  const build = mkdtempSync('node_modules/.cache/build-');
  cpSync('dist', build, { recursive: true });
  try {
    await using site = await ownSite({ build });
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
      expect([path, await site.status(path)]).toEqual([path, status]);
    const script = /\/_astro\/[\w.-]+\.js/.exec(await site.text('/login'))?.[0];
    expect(await site.status(`${script}`)).toBe(200);
    expect(site.said).not.toContain('ERR_MODULE_NOT_FOUND');
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
});
