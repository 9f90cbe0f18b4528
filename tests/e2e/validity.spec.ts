import { readFile } from 'node:fs/promises';
import { validateXML } from 'xmllint-wasm';
import { test } from './every-page.ts';
import { htmlFaults } from './html-faults.ts';
import { jsonFeedSchema } from './schemas/json-feed.ts';
import { expect, ownSite } from './site.ts';

/** Returns the faults of `xml` under the schema of that name. */
async function schemaFaults(xml: string, name: 'atom' | 'rss' | 'sitemap'): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: `${name}.xml`, contents: xml }],
    schema: [await readFile(new URL(`./schemas/${name}.rng`, import.meta.url), 'utf8')],
    extension: 'relaxng',
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

test('every page is valid HTML under a strict policy', async ({ request, everyPage: { readers, islands } }) => {
  for (const { name, path, status, says } of [...readers, ...islands]) {
    const answer = await request.get(path);
    expect(answer.status(), name).toBe(status);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy, name).toMatch(/frame-ancestors 'none'/);
    expect(policy, name).toContain('script-src ');
    expect(policy, name).not.toMatch(/script-src [^;]*unsafe/);
    const html = await answer.text();
    expect(await htmlFaults(html), name).toEqual([]);
    const [, main = ''] = html.split('<main');
    for (const words of says) expect(main, name).toContain(words);
  }
});

test('so does every page of a site without a post', async () => {
  await using site = await ownSite();
  const welcome = ['Welcome to Your Blog', 'Ready to get started?', 'Create Your First Post', 'View All Posts'];
  for (const [path, ...says] of [
    ['/', ...welcome, '<a href="/add-post"', '<a href="/all-posts"'],
    ['/archive', 'Nothing has been published yet'],
  ] as const) {
    const html = await site.text(path);
    expect(await htmlFaults(html), path).toEqual([]);
    const [, main = ''] = html.split('<main');
    for (const words of says) expect(main, path).toContain(words);
    expect(main).not.toContain('Latest Posts');
  }
  expect(await schemaFaults(await site.text('/sitemap.xml'), 'sitemap')).toEqual([]);
});

test('RSS, Atom, JSON Feed and the sitemap keep to their schemas', async ({ request, everyPage: { rich } }) => {
  const text = async (path: string) => {
    const found = await (await request.get(path)).text();
    expect(found, path).toContain(rich);
    return found;
  };
  const [rss, atom, sitemap] = [await text('/feed.xml'), await text('/atom.xml'), await text('/sitemap.xml')];
  expect(await schemaFaults(rss, 'rss')).toEqual([]);
  expect(await schemaFaults(atom, 'atom')).toEqual([]);
  expect(await schemaFaults(sitemap, 'sitemap')).toEqual([]);
  expect(jsonFeedSchema.safeParse(JSON.parse(await text('/feed.json'))).error?.issues ?? []).toEqual([]);
  // The schemas reject documents that are broken on purpose.
  expect(await schemaFaults(rss.replace(/<link>.*?<\/link>/, ''), 'rss')).not.toEqual([]);
  expect(await schemaFaults(atom.replace(/<updated>/, '<updated>on '), 'atom')).not.toEqual([]);
  expect(await schemaFaults(sitemap.replace('<loc>', '<loc/><loc>'), 'sitemap')).not.toEqual([]);
});
