import { describe, expect, test } from 'vitest';
import { editorPage } from './chromium.ts';
import { pageOf } from './hands.ts';

const page = await pageOf(editorPage());
const roundTrip = async (html: string) => (await page.evaluate((text) => window.returns([text]), html))[0];

test.each([
  ['a <em>b</em><p>c</p>', '<p>a <em>b</em></p><p>c</p>'],
  ['<blockquote>a</blockquote>', '<blockquote><p>a</p></blockquote>'],
  ['<p>a\n  b</p>\n<p>c</p>\n', '<p>a b</p><p>c</p>'],
  ['<pre>a\n\nb</pre>', '<pre><code>a\n\nb</code></pre>'],
  ['<table><tr><td>a</td></tr></table>', '<table><tbody><tr><td>a</td></tr></tbody></table>'],
  ['<table><tbody><tr><td><p>a</p></td></tr></tbody></table>', '<table><tbody><tr><td>a</td></tr></tbody></table>'],
  ['<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['<ul><li>a<p>b</p></li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
])('comes back as the same document, written our way %s', async (html, written) => {
  for (const each of [html, written]) expect(await roundTrip(each)).toMatchObject({ out: written });
  expect(await page.evaluate((pair) => window.same(...pair), [html, written] as const)).toBe(true);
});

test.each([
  '<p><a href="/x"><code>a</code></a> <strong><em>b</em></strong> <u>c</u><u>d</u></p>',
  '<blockquote>a</blockquote>',
  '<ul><li>a</li><ul><li>b</li></ul></ul>',
  '<table><tbody><tr><td><p>a</p></td></tr></tbody></table>',
  '<p>a\n  b</p>',
])('%s is saved in its letters while other blocks are written', async (html) => {
  const returned = await roundTrip(`<p>x</p>${html}`);
  expect(returned?.out).not.toBe(`<p>x</p>${html}`);
  expect(returned?.touched).toBe(`<p>x</p>${html}`);
});

describe('is kept as its source when the editor cannot edit it', () => {
  test.each([
    '<table><caption>c</caption><tbody><tr><td>a</td></tr></tbody></table>',
    '<table><tbody><tr><td><table><tbody><tr><td>a</td></tr></tbody></table></td></tr></tbody></table>',
    '<figure><pre><code>a</code></pre><figcaption>b</figcaption></figure>',
    '<pre><code>a <strong>b</strong></code></pre>',
    '<p><a id="fn-1"></a>a</p>',
    '<ol><li>a</li><ul><li>b</li></ul><h2>c</h2><li>d</li></ol>',
    // HTML from other clients that begins with elements belonging in `<head>`.
    ...['<style>p { color: red }</style>', '<script>a()</script>', '<title>a</title>', '<template><p>a</p></template>'],
    ...['<iframe src="/a"></iframe>', '<!--more-->', '<p>a<!-- b --></p>', '<pre><code>a<!-- b --></code></pre>'],
    '<p><a name="part"></a>a</p>',
    // Inline content outside of a paragraph, which the editor keeps as a single block.
    'a <b>b</b> <span>c</span> d',
    '<div class="x">a<p>b</p></div>',
    '<div data-opaque="a">b</div>',
    '<details><summary>a</summary>b</details>',
  ])('%s', async (html) => expect(await roundTrip(html)).toMatchObject({ out: html, opaque: [html] }));

  test('and what stands around it can be edited', async () => {
    const odd = '<table><caption>c</caption><tbody><tr><td>a</td></tr></tbody></table>';
    const html = `<p>x</p><blockquote><p>y</p>${odd}</blockquote><ul><li>z${odd}</li></ul>`;
    expect(await roundTrip(html)).toMatchObject({ out: html, opaque: [odd, odd] });
  });
});
