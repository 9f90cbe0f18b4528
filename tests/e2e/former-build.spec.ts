import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { expect, ownSite, test } from './site.ts';

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
