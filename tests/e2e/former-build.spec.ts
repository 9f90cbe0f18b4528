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
    const readers = ['/', `/post/${post.id}`, '/feed.xml', '/archive', `/author/${writer.id}`, '/search?q=text'];
    for (const path of [...readers, '/add-post']) expect([path, await site.status(path)]).toEqual([path, 200]);
    expect([await site.status('/nothing'), await site.status('/%')]).toEqual([404, 400]);
    const script = /\/_astro\/[\w.-]+\.js/.exec(await site.text('/login'))?.[0];
    expect(await site.status(`${script}`)).toBe(200);
    expect(site.said).not.toContain('ERR_MODULE_NOT_FOUND');
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
});
