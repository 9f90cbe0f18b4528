/** Loading and saving are inverse: a sample here, in full by `npm run bench -- fidelity`. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editorPage } from './chromium.ts';
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
});

test('anything the sanitiser lets through says the same afterwards', async () => {
  expectEqual(await judgeWildContent(page, 400, 7));
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
