import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, ownSite, removeSite, withShared } from './site.ts';

/** Opens a site that runs a copy of the build, changed so that two endpoints fail. */
async function openOwn() {
  // The copy must be inside the project, so that it can resolve the project's packages.
  mkdirSync('node_modules/.cache', { recursive: true });
  const build = mkdtempSync('node_modules/.cache/build-');
  cpSync('dist', build, { recursive: true });
  for (const [file, words, instead] of [
    ['answer', 'reader.postsBySlug(', 'reader.hidden('],
    ['preview', 'admit(Astro)', 'hidden(Astro)'],
  ] as const) {
    const [path = ''] = globSync(`${build}/server/chunks/${file}_*.mjs`);
    const code = readFileSync(path, 'utf8');
    const damaged = code.replace(words, instead);
    expect(damaged).not.toBe(code);
    writeFileSync(path, damaged);
  }
  const site = await ownSite({ build });
  const end = async () => {
    await removeSite(site);
    rmSync(build, { recursive: true, force: true });
  };
  return { site, build, [Symbol.asyncDispose]: end };
}

const test = withShared('own', openOwn);
test.describe.configure({ mode: 'serial' });

test('answers an unexpected error of an endpoint in JSON without its cause @embedded', async ({ own: { site } }) => {
  for (const [method, path] of Object.entries({ GET: '/api/authors?posts=ink', POST: '/api/preview' })) {
    const response = await fetch(site.url + path, { method, headers: { 'content-type': 'application/json' } });
    expect([response.status, response.headers.get('cache-control')], path).toEqual([500, 'no-store']);
    expect(response.headers.get('content-type'), path).toMatch(/^application\/json/);
    expect(await response.json(), path).toEqual({ error: expect.stringContaining('Try again in a moment.') });
  }
  await expect.poll(() => site.said).toContain('hidden');
  expect(await site.status('/api/recovery')).toBe(200);
});

test('a server whose build is taken away goes on with all pages @embedded', async ({ own: { site, build } }) => {
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
});
