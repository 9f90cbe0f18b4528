import type { Browser, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenPage } from './chromium.ts';
import { keyboardOn } from './hands.ts';

let browser: Browser;
let page: Page;
let cdp: CDPSession;
let hands: ReturnType<typeof keyboardOn>;
beforeAll(async () => {
  ({ browser, page } = await screenPage());
  hands = keyboardOn(page);
  cdp = await page.context().newCDPSession(page);
});
afterAll(() => browser?.close());

const show = (html = '', language = 'en') => hands.show(html, language);
const shown = () => hands.shown();
const keys = (line: string) => hands.keys(line);

describe('typed signs become', () => {
  test.each([
    ['en', `"It's 'here'," she said -- or not...`, '“It’s ‘here’,” she said – or not…'],
    ['de', `"Er sagt: 'Ja'" --- so`, '„Er sagt: ‚Ja‘“ — so'],
    ['fr', `"oui"`, '«\u202foui\u202f»'],
  ])('those of a post in %s', async (language, line, text) => {
    await show('', language);
    await keys(line);
    expect(await shown()).toBe(`<p>${text}</p>`);
  });

  test('those of the language that the text is in, where the post names none', async () => {
    const words = 'Die Tinte ist schwarz und das Papier ist weiß, aber es war nicht immer so, und wir wissen es auch.';
    await show(`<p>${words}</p>`, '');
    await keys(' "Ja"');
    expect(await shown()).toBe(`<p>${words} „Ja“</p>`);
  });

  test('those of the text’s marks', async () => {
    await show();
    await keys('{Control+b}"a"{Control+b}');
    expect(await shown()).toBe('<p><strong>“a”</strong></p>');
  });
});

describe('one step gives back what was typed', () => {
  test.each([
    ['a "', 'a “', 'a "'],
    ['a --', 'a –', 'a --'],
    ['a ---', 'a —', 'a ---'],
    ['a...', 'a…', 'a...'],
    [`it's`, 'it’s', `it’`],
  ])('%j, by Backspace and by Control+Z', async (line, typeset, typed) => {
    for (const step of ['{Backspace}', '{Control+z}']) {
      await show();
      await keys(line);
      expect(await shown()).toBe(`<p>${typeset}</p>`);
      await keys(step);
      expect(await shown()).toBe(`<p>${typed}</p>`);
    }
  });

  test('and what is typed behind it stays so', async () => {
    await show();
    await keys('a "{Control+z}b{Backspace}c');
    expect(await shown()).toBe('<p>a "c</p>');
  });
});

describe('they stay as typed', () => {
  test.each([
    ['in a block of code', '<pre><code>x</code></pre>', '"--..."', /<code>x"--\.\.\."<\/code>/],
    ['in code within a line', '', '{Control+e}"a"--{Control+e}', /<code>"a"--<\/code>/],
    ['between backticks', '', '`"a" -- b`', /<code>"a" -- b<\/code>/],
    ['in an address', '', "https://e.com/it's--a", /https:\/\/e\.com\/it's--a/],
  ])('%s', async (_where, html, line, text) => {
    await show(html);
    await keys(line);
    expect(await shown()).toMatch(text);
  });

  test('at the beginning of a break and of a table', async () => {
    await show();
    await keys('---x');
    expect(await shown()).toBe('<hr><p>x</p>');
    await show();
    await keys('| "a" |{Enter}| --- |{Enter}b');
    expect(await shown()).toContain('<th>"a"</th>');
  });

  test('where the writer turned it off', async () => {
    // A page without an address has no localStorage, so the test replaces it.
    await page.evaluate(() => {
      const kept = new Map([['common-ink:typography', 'off']]);
      Object.defineProperty(window, 'localStorage', {
        configurable: true,
        value: { getItem: (name: string) => kept.get(name) ?? null },
      });
    });
    await show();
    await keys('"a" -- b...');
    expect(await shown()).toBe('<p>"a" -- b...</p>');
    await page.evaluate(() => Reflect.deleteProperty(window, 'localStorage'));
  });

  test('in what an input method composes', async () => {
    await show();
    for (const text of ['"', '"か'])
      await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await cdp.send('Input.insertText', { text: '「か」' });
    await keys('"a"');
    expect(await shown()).toMatch(/^<p>「か」.a”<\/p>$/);
  });
});
