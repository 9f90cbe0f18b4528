/** Loading and saving are inverse: in short here, in full by `npm run bench -- fidelity`. */
import fc from 'fast-check';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sanitise } from '#blog/content/sanitise.ts';
import { editorPage } from './chromium.ts';
import { anyContent } from './content.ts';
import { anyDocument } from './documents.ts';
import { type Judged, judgeDocuments, judgeFolder, judgeWildContent, told } from './fidelity.ts';
import { reading } from './reading.ts';

const FIXTURES = new URL('../import/fixtures', import.meta.url).pathname;

let browser: Browser;
let page: Page;
beforeAll(async () => {
  ({ browser, page } = await editorPage());
});
afterAll(() => browser?.close());

function expectEqual(judged: Judged): void {
  expect(judged.texts).toBeGreaterThan(0);
  expect(judged.differences.length, told(judged)).toBe(0);
}

test('documents of the stored set come back to the letter, also when something else is typed', async () => {
  expectEqual(await judgeDocuments(page, 400, 2026));
}, 60_000);

test('anything the sanitiser lets through says the same afterwards', async () => {
  expectEqual(await judgeWildContent(page, 400, 7));
}, 60_000);

test('what is read without the parser is what the parser reads', async () => {
  const documents = fc.sample(anyDocument, { numRuns: 400, seed: 5 });
  const wild = fc.sample(anyContent, { numRuns: 400, seed: 5 });
  const plain = (htmls: readonly string[]) => page.evaluate((all) => window.plain(all), htmls);
  const { read, odd } = await plain([...documents, ...wild, ...wild.map(sanitise)]);
  expect(odd).toEqual([]);
  expect(read).toBeGreaterThan(200);
  const readAlone = [
    '<p>a <em>b <strong>c</strong></em> <a href="/?a=1&amp;b=2">&lt;d&gt;</a></p>',
    '<h2>a </h2>',
    '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>',
    '<ul><li>a<ol start="3"><li>b</li><li>c</li></ol></li></ul>',
    '<ul><li data-checked="true"><p>a</p><p>b</p></li><li data-checked="false"><p>c</p></li></ul>',
    '<pre><code class="language-c++">\n  a &lt; b;\n</code></pre>',
    '<pre><code></code></pre>',
    '<hr>',
    '<table><thead><tr><th align="center">a</th><th></th></tr></thead><tbody><tr><td>b </td><td><p>c</p><ul><li>d</li></ul></td></tr></tbody></table>',
    '<table><tbody><tr><th>a</th><td><code>b</code></td></tr></tbody></table>',
  ];
  expect(await plain(readAlone)).toEqual({ read: readAlone.length, odd: [] });
  // Each of these takes the parser.
  const parsed = [
    ...['<p>a  b</p>', '<p> a</p>', '<p>a<br>b</p>', '<p id="x">a</p>', '<ul> <li>a</li></ul>', '<p></p>'],
    ...['<p>a <em>b </em></p>', '<p><em>a</em><em>b</em></p>', '<p><em></em>a</p>', '<ol start="1"><li>a</li></ol>'],
    ...['<pre>a</pre>', '<pre><code class="x">a</code></pre>', '<pre><code>a<em>b</em></code></pre>'],
    '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    '<table><tbody><tr><td><p>a</p></td></tr></tbody></table>',
    '<constructor>a</constructor>',
  ];
  expect((await plain(parsed)).read).toBe(0);
});

test('an imported folder is read the same', async () => {
  expectEqual(await judgeFolder(page, FIXTURES));
});

test('the judge of imported texts sees what differs', () => {
  const differs = (one: string, other: string) => expect(reading(one)).not.toEqual(reading(other));
  expect(reading('<p>a <em>b</em></p>\n')).toEqual(reading('<p>a\n<em>b</em> </p>'));
  expect(reading('<p><em><strong>b</strong></em></p>')).toEqual(reading('<p><strong><em>b</em></strong></p>'));
  differs('<p>a b</p>', '<p>a<br>b</p>');
  differs('<p>a <em>b</em></p>', '<p>a b</p>');
  differs('<p>a</p><p>b</p>', '<p>a b</p>');
  differs('<p>ab</p>', '<p>a b</p>');
  differs('<ul><li>a</li></ul>', '<ul><li><p>a</p></li></ul>');
  differs('<ol start="3"><li>a</li></ol>', '<ol><li>a</li></ol>');
  differs('<pre><code>a  b</code></pre>', '<pre><code>a b</code></pre>');
  differs('<p><img src="/a.png" width="3"></p>', '<p><img src="/a.png"></p>');
});
