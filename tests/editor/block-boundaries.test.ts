import type { Locator } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openEditor } from './hands.ts';

const { page, painted, show, shown, keys, testTyping } = await openEditor();
// Sets the site's line length, without which the page has no margin to click in.
await page.addStyleTag({ content: ':root { --container-measure: 40rem } * { box-sizing: border-box; margin: 0 }' });

const IMG = '<img src="/a.png" alt="x" width="60" height="40">';
const BACK = '<a href="#fnref-1" data-footnote-backref="">↩</a>';
const BLOCKS: readonly (readonly [name: string, html: string])[] = [
  ['a picture', `<figure>${IMG}<figcaption>said</figcaption></figure>`],
  ['a picture without words', `<figure>${IMG}</figure>`],
  ['a table', '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'],
  ['code', '<pre><code>a\nb</code></pre>'],
  ['a break', '<hr>'],
  ['a quotation', '<blockquote><p>said</p><p>twice</p></blockquote>'],
  ['foreign HTML', '<table><caption>kept</caption><tbody><tr><td>as it is</td></tr></tbody></table>'],
  ['footnotes', `<section data-footnotes=""><ol><li id="fn-1"><p>Note. ${BACK}</p></li></ol></section>`],
];

const text = () => page.locator('.ProseMirror');
const child = (index: number) => text().locator(':scope > *').nth(index);
const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return { ...box, bottom: box.y + box.height };
};
/** Clicks in the margin beside the blocks, at height `y`. */
async function press(y: number) {
  await page.mouse.click((await boxOf(text())).x + 100, y);
  await painted();
}
const changes = () => page.evaluate(() => window.changes);

describe.each(BLOCKS)('%s', (_name, html) => {
  test('that is all of a text has lines above and below it for whoever presses there', async () => {
    for (const above of [true, false]) {
      await show(html);
      await press(above ? (await boxOf(child(0))).y - 5 : (await boxOf(text())).bottom - 10);
      await keys('x');
      expect(await shown()).toBe(above ? `<p>x</p>${html}` : `${html}<p>x</p>`);
    }
  });

  test('has a line between it and its like', async () => {
    const other = html.replaceAll('-1"', '-2"');
    await show(`${html}${other}<p>below</p>`);
    await child(2).click();
    await press(((await boxOf(child(0))).bottom + (await boxOf(child(1))).y) / 2);
    await keys('x');
    expect(await shown()).toBe(`${html}<p>x</p>${other}<p>below</p>`);
  });

  test('lets the arrow up lead above it; without words nothing has changed, whatever key follows', async () => {
    const whole = `${html}<p>below</p>`;
    for (const after of ['', '{Control+a}']) {
      await show(whole);
      await keys(`{Control+Home}{ArrowUp}{ArrowUp}${after}`);
      expect(await shown()).toBe(whole);
    }
    expect(await changes()).toBe(0);
    await show(whole);
    await keys('{Control+Home}{ArrowUp}{ArrowUp}xy');
    expect(await shown()).toBe(`<p>xy</p>${whole}`);
    // On a slow machine, the letters may be typed over half a second apart and are then undone one by one.
    for (let n = 0; n < 2 && (await shown()) !== whole; n++) await keys('{Control+z}');
    expect(await shown()).toBe(whole);
    await keys('{ArrowDown}{Control+Shift+z}{Control+Shift+z}');
    expect(await shown()).toBe(`<p>xy</p>${whole}`);
  });

  test('at the end of a text is no change for whoever only looks at it', async () => {
    await show(`<p>above</p>${html}`);
    await keys('{Control+Home}{ArrowDown}{ArrowUp}{Control+End}{Control+a}{Control+Home}');
    expect(await shown()).toBe(`<p>above</p>${html}`);
    expect(await changes()).toBe(0);
  });

  testTyping('%s', [
    ['goes with all the text', html, '{Control+a}{Backspace}', ''],
    ['comes back with it', html, '{Control+a}{Backspace}{Control+z}', html],
  ]);
});

const [, notes = ''] = BLOCKS.at(-1) ?? [];
const [above, below] = [`<p>q</p>${notes}`, `${notes}<p>q</p>`];
testTyping('footnotes take in nothing from outside, and lose nothing to it: %s', [
  ['Delete before them', above, '{Control+Home}{End}{Delete}', above],
  ['Backspace behind them', below, '{Control+End}{Home}{Backspace}', below],
  ['Delete at their end', below, '{Control+Home}{End}{Delete}', below],
  ['Backspace at their beginning', above, '{Control+End}{ArrowUp}{Home}{Backspace}', above],
]);

describe('the tools', () => {
  const [ABOVE, BELOW] = ['<p>above</p>', '<p>below</p>'];

  test.each([
    ['of a table', '<table><tbody><tr><td>here</td><td>2</td></tr></tbody></table>'],
    ['of code', '<pre><code class="language-js">here\nb</code></pre>'],
  ])('%s cover no word, whether it stands first or among others', async (_name, html) => {
    for (const whole of [`${html}${BELOW}`, `${ABOVE}${html}${BELOW}`, `<h2>above</h2>${html}${html}${BELOW}`]) {
      await show(whole);
      await text().getByText('here').last().click();
      await page.locator('.editor-bubble').waitFor();
      const covered = () =>
        page.evaluate(() => {
          const tools = document.querySelector('.editor-bubble')?.getBoundingClientRect();
          const range = document.createRange();
          const text = document.querySelector('.ProseMirror') as Element;
          const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
          const found: string[] = [];
          while (tools && words.nextNode()) {
            range.selectNodeContents(words.currentNode);
            const { top, bottom } = range.getBoundingClientRect();
            if (bottom > tools.top && top < tools.bottom) found.push(words.currentNode.textContent ?? '');
          }
          return found;
        });
      await expect.poll(covered).toEqual([]);
    }
  });

  test('of a table that begins out of sight stand where the cursor is not', async () => {
    const rows = Array.from({ length: 40 }, (_, row) => `<tr><td>row ${row}.</td></tr>`).join('');
    await show(`<table><tbody>${rows}</tbody></table>${BELOW}`);
    for (const row of [20, 39, 22]) {
      const cell = text().getByText(`row ${row}.`);
      await cell.click();
      await painted();
      const isFree = async () => {
        const [tools, line] = [await boxOf(page.locator('.editor-bubble')), await boxOf(cell)];
        return tools.bottom <= line.y || tools.y >= line.bottom;
      };
      await expect.poll(isFree, { message: `row ${row}` }).toBe(true);
    }
  });

  test('name the language of code, and nothing of HTML that is kept as it is', async () => {
    const kept = '<table><caption>a</caption><tbody><tr><td>b</td></tr></tbody></table>';
    await show(`<pre><code>c</code></pre><pre><code class="language-js">d</code></pre>${kept}${BELOW}`);
    const blocks = text().locator('pre');
    const named = await blocks.evaluateAll((all) => all.map((block) => getComputedStyle(block, '::before').content));
    expect(named).toEqual(['"Code"', '"js"', 'none']);
  });
});
