/**
 * Tests that loading and saving preserve text. `FIDELITY=DIR vitest run tests/editor/fidelity` tests more generated
 * texts, and DIR's files.
 */
import { expect, test } from 'vitest';
import { editorPage } from './chromium.ts';
import { type Judged, judgeDocuments, judgeFolder, judgeWildContent, told } from './fidelity.ts';
import { pageOf } from './hands.ts';
import { reading } from './reading.ts';

const { FIDELITY } = process.env;
/** Folder of Markdown files, which the test imports in the same way as `npm run import`. */
const FOLDER = FIDELITY ?? new URL('../import/fixtures', import.meta.url).pathname;
const COUNT = FIDELITY ? 10_000 : 400;

const page = await pageOf(editorPage());

function expectEqual(judged: Judged): void {
  expect(judged.texts).toBeGreaterThan(0);
  expect(judged.differences.length, told(judged)).toBe(0);
}

test('documents of the stored set come back to the letter, also when something else is typed', async () => {
  expectEqual(await judgeDocuments(page, COUNT, 2026));
});

test('anything the sanitiser lets through says the same afterwards', async () => {
  expectEqual(await judgeWildContent(page, COUNT, 7));
});

test('an imported folder is read the same', async () => {
  expectEqual(await judgeFolder(page, FOLDER));
});

test('the judge of imported texts sees what differs', () => {
  expect(reading('<p>a <em>b</em></p>\n')).toEqual(reading('<p>a\n<em>b</em> </p>'));
  expect(reading('<p><em><strong>b</strong></em></p>')).toEqual(reading('<p><strong><em>b</em></strong></p>'));
  for (const [one, other] of [
    ['<p>a b</p>', '<p>a<br>b</p>'],
    ['<p>a <em>b</em></p>', '<p>a b</p>'],
    ['<p>a</p><p>b</p>', '<p>a b</p>'],
    ['<ul><li>a</li></ul>', '<ul><li><p>a</p></li></ul>'],
    ['<ol start="3"><li>a</li></ol>', '<ol><li>a</li></ol>'],
    ['<pre><code>a  b</code></pre>', '<pre><code>a b</code></pre>'],
    ['<p><img src="/a.png" width="3"></p>', '<p><img src="/a.png"></p>'],
  ] as const)
    expect(reading(one)).not.toEqual(reading(other));
});
