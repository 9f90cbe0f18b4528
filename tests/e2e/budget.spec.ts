/** Measures a guest's first view of a post and a writer's view of the form: bytes and requests, never time. */
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright/test';
import { ARTICLE, FONTS, HTML_AND_STYLES } from './article.ts';
import { editPost } from './post-form.ts';
import { expect, policyViolations, test } from './site.ts';

const SCRIPT = 1536;
/** Bytes of all scripts that the form loads before a writer can type. */
const EDITOR_SCRIPT = 240 * 1024;
/** Limits the number of scripts, because browsers send only six requests at a time over HTTP/1.1. */
const MOST_SCRIPTS = 14;

test('a guest’s first view of a post stays within its budget', async ({ open, site, writer }) => {
  expect(Math.abs(ARTICLE.replace(/<[^>]+>/g, '').length - 5000)).toBeLessThan(700);
  const post = await site.post(writer, { title: 'A post of an honest length', content: ARTICLE });
  const page = await open({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const asked: { url: string; type: string; response: Response }[] = [];
  page.on('response', (response) => {
    asked.push({ url: response.url(), type: response.request().resourceType(), response });
  });
  await page.goto(`${site.url}/post/${post.id}`);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  // Styles are inline, so the browser can paint the page after a single request.
  expect(asked.filter(({ type }) => type === 'stylesheet')).toEqual([]);
  expect(await page.locator('head script[src]:not([type=module]), head script[async]').count()).toBe(0);
  // Preloaded fonts would delay the first paint.
  expect(await page.locator('link[as=font]').count()).toBe(0);
  const answer = await fetch(`${site.url}/post/${post.id}`, { headers: { 'accept-encoding': 'br' } });
  const stored = Number(answer.headers.get('content-length'));
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(stored).toBeLessThanOrEqual(HTML_AND_STYLES);
  const scripts = asked.filter(({ type }) => type === 'script').map(({ url }) => url);
  expect(scripts.length).toBeGreaterThan(0);
  let script = 0;
  for (const url of scripts) {
    const { headers } = await fetch(url, { headers: { 'accept-encoding': 'br, gzip' } });
    script += Number(headers.get('content-length'));
  }
  expect(script).toBeLessThanOrEqual(SCRIPT);
  const fonts = await Promise.all(asked.filter(({ type }) => type === 'font').map(({ response }) => response.body()));
  expect(fonts.length).toBeLessThanOrEqual(FONTS.files);
  expect(Buffer.concat(fonts).length).toBeLessThanOrEqual(FONTS.bytes);
  expect(asked.length).toBeLessThanOrEqual(7);
  const own = [site.url, site.remote && new URL(site.remote.target.endpoint).origin];
  expect(asked.filter(({ url }) => !own.includes(new URL(url).origin))).toEqual([]);
});

test('all kinds of text load no more fonts and keep the column’s width', async ({ open, site, writer }) => {
  const content = `<h2>„Größe“ – what it <em>is</em></h2><p>Ink, <strong>bold</strong> and <em>italic</em>, “quoted”, é à ñ ø, 20 °C → <code>x = 1</code>…</p>
<pre><code class="language-rust">// Größe\nfn main() -> u32 { 0 }</code></pre><ul><li>One</li></ul>
<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>2 × 3</td></tr></tbody></table>${ARTICLE}`;
  const post = await site.post(writer, { title: 'Of every kind', content });
  for (const width of [360, 768, 1280]) {
    const page = await open({ viewport: { width, height: 900 } });
    const fonts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'font') fonts.push(response.body());
    });
    await page.goto(`${site.url}/post/${post.id}`, { waitUntil: 'networkidle' });
    await expect.poll(() => fonts.length).toBe(FONTS.files);
    expect(Buffer.concat(await Promise.all(fonts)).length).toBeLessThanOrEqual(FONTS.bytes);
    const column = () => page.locator('.prose').evaluate((text) => text.getBoundingClientRect().width);
    const shown = await column();
    // Switches to the fallback font, which readers see before the fonts arrive.
    await page.evaluate(() => document.documentElement.style.setProperty('--newsreader', 'like Newsreader, serif'));
    expect(await column()).toBeCloseTo(shown, 1);
  }
});

test('the form’s script stays within its budget and policy', async ({ writerPage: page, site, writer }) => {
  const post = await site.post(writer, { content: ARTICLE });
  const scripts = new Map<string, Response>();
  const fonts: string[] = [];
  const refused = policyViolations(page);
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if (type === 'script') scripts.set(response.url(), response);
    if (type === 'font') fonts.push(response.url());
  });
  await editPost(page, post.id);
  await page.waitForLoadState('networkidle');
  const linked = (links: Element[]) => links.map((link) => (link as HTMLLinkElement).href);
  // The page preloads every module, so that none has to wait for the module that imports it.
  const named = () => page.locator('link[rel=modulepreload]').evaluateAll(linked);
  await expect.poll(async () => (await named()).filter((url) => !scripts.has(url))).toEqual([]);
  // The page preloads the two fonts that every form uses, and the browser fetches each only once.
  const preloaded = await page.locator('link[rel=preload][as=font]').evaluateAll(linked);
  expect(preloaded).toHaveLength(2);
  for (const font of preloaded) await expect.poll(() => fonts.filter((url) => url === font)).toHaveLength(1);
  const bodies = await Promise.all(Array.from(scripts.values(), (response) => response.body()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(bytes).toBeGreaterThan(100 * 1024);
  expect(bytes).toBeLessThanOrEqual(EDITOR_SCRIPT);
  // Checks that the scripts do not contain Vue, whose names for reactive objects survive minifying.
  expect(bodies.filter((body) => /__v_isRef|__v_skip|__vue_app__/.test(body.toString()))).toEqual([]);
  expect(refused).toEqual([]);
  // A closed `details` doubles the time per keystroke in a long text (docs/decisions/007-html-in-the-editor.md).
  await expect(page.locator('details:not([open])')).toHaveCount(0);
  const preloadedScripts = await named();
  const late = [...scripts.keys()].filter((url) => !preloadedScripts.includes(url));
  expect(late.filter((url) => !/\/(?:Shell|session)\b[^/]*$/.test(url))).toEqual([]);
  expect(scripts.size).toBeLessThanOrEqual(MOST_SCRIPTS);
  for (const font of preloaded) expect(fonts.filter((url) => url === font)).toHaveLength(1);
  const shown = await page.evaluate(async () => {
    const faces = await document.fonts.ready;
    return [...faces].filter(({ status }) => status === 'loaded').map(({ family }) => family);
  });
  expect(shown).toEqual(expect.arrayContaining(['Inter', 'Newsreader']));
});
