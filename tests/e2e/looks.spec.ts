/** Tests each look on real pages (bytes, fonts, accessibility, window widths), and an owner's own style sheet. */
import type { Settings } from '#blog/site-settings/settings.ts';
import { LOOKS } from '#blog/theme/looks/index.ts';
import { ARTICLE, FONTS, HTML_AND_STYLES } from './article.ts';
import { overflow, violationsOn } from './axe.ts';
import { member, saveSettings } from './members.ts';
import { expect, ownSite, policyViolations, removeSite, withShared } from './site.ts';

const CODE = '<h2>Code</h2><pre><code class="language-js">const a = 1;</code></pre><table><tr><td>1</td></tr></table>';
const RTL = '<p>هذه فقرة من النص العربي عن الحبر والورق</p>';

/** One site for all looks, with posts of every kind and its owner, who chooses the look. */
async function openLooks() {
  const site = await ownSite({ environment: { REBUILD_TOKEN: 'token-of-the-operator' } });
  const owner = await member(site, 'owner', 'Olga');
  await site.post(owner, { title: 'Eine Überschrift mit einem Donaudampfschifffahrtsgesellschaftskapitän' });
  await site.publishText(owner, 'Without a picture');
  return {
    ...{ site, owner, [Symbol.asyncDispose]: () => removeSite(site) },
    rtl: await site.post(owner, { title: 'عن الحبر والورق', content: RTL }),
    code: await site.post(owner, { title: 'With code', content: CODE }),
    post: await site.post(owner, { title: 'A post of an honest length', content: ARTICLE }),
    async choose(settings: Settings): Promise<void> {
      await saveSettings(site, owner, settings);
      // A busy site answers 503 if it could not render a page in time.
      await expect.poll(async () => (await site.rebuild()).status, { timeout: 600_000 }).toBe(200);
    },
  };
}

const test = withShared('looks', openLooks);
// Runs the tests in a single worker, so that the site with all looks is created only once.
test.describe.configure({ mode: 'default' });

for (const { id, post: layout } of LOOKS) {
  test(`the look ${id} stays within its budget, is accessible and fits every window @embedded`, async ({
    open,
    looks,
  }) => {
    const { site, owner, rtl, code, post } = looks;
    await looks.choose({ look: id });
    const path = `/post/${post.id}`;

    const answer = await fetch(site.url + path, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    const text = Number(answer.headers.get('content-length'));
    expect(text).toBeLessThanOrEqual(HTML_AND_STYLES);

    const page = await open({ at: site, reducedMotion: 'reduce' });
    const refused = policyViolations(page);
    await page.goto(path);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForLoadState('networkidle');
    const fontsOf = () =>
      page.evaluate(() =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .filter(({ name }) => name.endsWith('.woff2'))
          .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
      );
    await expect.poll(fontsOf).not.toEqual([]);
    const fonts = await fontsOf();
    expect(fonts.map(({ name }) => name).slice(FONTS.files)).toEqual([]);
    expect(fonts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(FONTS.bytes);
    await expect(page.locator('.post-picture')).toHaveCount(layout === 'none' ? 0 : 1);

    const others = ['/archive', '/search?q=ink', `/author/${owner.id}`, '/login'];
    for (const address of ['/', path, `/post/${rtl.id}`, `/post/${code.id}`, ...others]) {
      await page.goto(address);
      await page.evaluate(() => document.fonts.ready);
      for (const [width, theme] of [
        [360, 'light'],
        [768, undefined],
        [1280, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        expect.soft(await overflow(page), `${address} at ${width} px`).toBe(0);
        if (!theme || !['/', `/post/${code.id}`].includes(address)) continue;
        await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
        expect.soft(await violationsOn(page), `${address} at ${width} px, ${theme}`).toEqual([]);
      }
    }
    expect(refused).toEqual([]);
  });
}

test('a look’s text keeps its lines when the fonts arrive @embedded', async ({ open, looks }) => {
  const page = await open({ at: looks.site });
  for (const look of ['diary', 'notebook', 'gallery']) {
    await looks.choose({ look });
    await page.goto(`/post/${looks.post.id}`);
    await page.evaluate(() => document.fonts.ready);
    const size = () =>
      page.locator('.prose').evaluate((text) => {
        const { width, height } = text.getBoundingClientRect();
        return { width, lines: Math.round(height / Number.parseFloat(getComputedStyle(text).lineHeight)) };
      });
    const shown = await size();
    const family = await page.locator('.prose').evaluate((text) => getComputedStyle(text).fontFamily.split(',')[0]);
    await page.evaluate((name) => {
      document.documentElement.style.setProperty('--newsreader', `like ${name}, serif`);
    }, family);
    const before = await size();
    expect(before.width).toBeCloseTo(shown.width, 1);
    expect(Math.abs(before.lines - shown.lines)).toBeLessThanOrEqual(shown.lines * 0.03);
  }
});

test('an owner’s style sheet is sanitised, linked from every page but /site, and can be switched off @embedded', async ({
  open,
}) => {
  const css = `@import "https://evil.example/a.css";
main { background: #010203 url(https://evil.example/b.png) }
body { border-top: 3px solid rgb(1, 2, 3); --x: url(//evil.example/c.png) }
p::after { content: "</style>"; background: image-set("https://evil.example/d.png" 1x) }`;
  await using site = await ownSite({ files: { 'site.toml': 'css = "own.css"', 'own.css': css } });
  const post = await site.post(await site.writer());
  const sheet = await fetch(`${site.url}/site.css`);
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(await sheet.text()).not.toMatch(/evil\.example|import|<\//);
  const page = await open({ at: site });
  const refused = policyViolations(page);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url)) foreign.push(request.url());
  });
  const border = () => page.evaluate(() => getComputedStyle(document.body).borderTopWidth);
  for (const path of ['/', `/post/${post.id}`, '/login', '/nowhere', '/search?q=x']) {
    await page.goto(path);
    expect(await border(), path).toBe('3px');
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}css=off`);
    expect(await border(), path).toBe('0px');
  }
  // Leaves the request for the account unanswered, because the answer would redirect the guest from /site to /login.
  await page.route('**/v1/account', () => {});
  await page.goto('/site');
  expect(await border()).toBe('0px');
  expect(foreign).toEqual([]);
  expect(refused).toEqual([]);
});

test('a site without a style sheet of its own links none, and exports an empty one @embedded', async ({ site }) => {
  expect(await site.text('/')).not.toContain('site.css');
  const sheet = await fetch(`${site.url}/site.css`);
  expect([sheet.status, await sheet.text()]).toEqual([200, '']);
});

test('a look sets code and the site’s name in its own faces, and centres the introduction with the titles @embedded', async ({
  open,
  looks: { site, code, choose },
}) => {
  await choose({ look: 'notebook', name: 'Margin' });
  const page = await open({ at: site, path: `/post/${code.id}` });
  for (const role of ['banner', 'contentinfo'] as const) {
    await expect(page.getByRole(role).getByText('Margin', { exact: true })).toHaveCSS('font-family', /^JetBrains/);
  }
  await expect(page.getByText('const a = 1;')).toHaveCSS('font-family', /^JetBrains/);
  await choose({ look: 'essay', introduction: 'On paper and ink.' });
  await page.goto('/');
  await expect(page.getByText('On paper and ink.')).toHaveCSS('text-align', 'center');
});
