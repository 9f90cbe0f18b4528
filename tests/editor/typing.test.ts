import { describe, expect, test } from 'vitest';
import { openEditor } from './hands.ts';

const { page, keyboard, cdp, show, shown, keys, compose, paste, choosePicture, testTyping } = await openEditor();
const TABLE = '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>';
const PICTURE = '<img src="/a.png" alt="x">';
const FIGURE = `<figure>${PICTURE}<figcaption>said</figcaption></figure>`;
const LINK = '<a href="/x">a<br>b</a>';
const headed = (...rows: string[][]) => {
  const [head, body] = rows.map(
    (cells, row) => `<tr>${cells.map((cell) => `<t${'hd'[row]}>${cell}</t${'hd'[row]}>`).join('')}</tr>`,
  );
  return `<table><thead>${head}</thead><tbody>${body}</tbody></table>`;
};

const MARKDOWN = [
  ['## Part', '<h2>Part</h2>'],
  ['###### Part', '<h6>Part</h6>'],
  ['- one{Enter}two', '<ul><li>one</li><li>two</li></ul>'],
  ['3. one{Enter}two', '<ol start="3"><li>one</li><li>two</li></ol>'],
  ['- [ ] to do{Enter}more', '<ul><li data-checked="false">to do</li><li data-checked="false">more</li></ul>'],
  ['- one{Enter}- two{Enter}* three', '<ul><li>one</li><li>two</li><li>three</li></ul>'],
  ['1. one{Enter}2. two', '<ol><li>one</li><li>two</li></ol>'],
  ['- [ ] to do{Enter}- [x] done', '<ul><li data-checked="false">to do</li><li data-checked="true">done</li></ul>'],
  ['- one{Enter}1. two', '<ul><li>one</li><li><ol><li>two</li></ol></li></ul>'],
  ['- [x] done', '<ul><li data-checked="true">done</li></ul>'],
  ['[ ] to do{Enter}more', '<ul><li data-checked="false">to do</li><li data-checked="false">more</li></ul>'],
  ['[X] done', '<ul><li data-checked="true">done</li></ul>'],
  ['[ ] one{Enter}{Enter}[x] two', '<ul><li data-checked="false">one</li><li data-checked="true">two</li></ul>'],
  ['- a{Enter}{Enter}[ ] b', '<ul><li>a</li></ul><ul><li data-checked="false">b</li></ul>'],
  ['1. [ ] one', '<ol><li data-checked="false">one</li></ol>'],
  ['> [ ] said', '<blockquote><ul><li data-checked="false">said</li></ul></blockquote>'],
  ['## [ ] Part', '<h2>[ ] Part</h2>'],
  ['a [ ] b', '<p>a [ ] b</p>'],
  ['[ ] {Control+z}', '<p>[ ]</p>'],
  ['| a | b |{Enter}| - | - |{Enter}c{Tab}d', headed(['a', 'b'], ['c', 'd'])],
  [
    '|a|**b** c||{Enter}|:--|:-:|--:|{Enter}x',
    '<table><thead><tr><th align="left">a</th><th align="center"><strong>b</strong> c</th><th align="right"></th></tr></thead><tbody><tr><td align="left">x</td><td align="center"></td><td align="right"></td></tr></tbody></table>',
  ],
  ['| a | b |{Enter}| - | - |{Enter}{Control+z}', '<p>| a | b |</p><p>| - | - |</p>'],
  ['| a | b |{Enter}| - |{Enter}c', '<p>| a | b |</p><p>| - |</p><p>c</p>'],
  ['| - | - |{Enter}c', '<p>| - | - |</p><p>c</p>'],
  ['- | a |{Enter}| - |{Enter}b', '<ul><li>| a |</li><li>| - |</li><li>b</li></ul>'],
  ['> said', '<blockquote><p>said</p></blockquote>'],
  ['```js{Enter}a', '<pre><code class="language-js">a</code></pre>'],
  ['a **bold** b', '<p>a <strong>bold</strong> b</p>'],
  ['a *leaning* b', '<p>a <em>leaning</em> b</p>'],
  ['a ~~gone~~ b', '<p>a <del>gone</del> b</p>'],
  ['a `code` b', '<p>a <code>code</code> b</p>'],
  ['---x', '<hr><p>x</p>'],
  ['|2x2| a{Tab}b', headed(['a', 'b'], ['', ''])],
  ['a{Shift+Enter}b', '<p>a<br>b</p>'],
  ['abc{Shift+Enter}{ArrowLeft}{ArrowLeft}{Shift+Enter}', '<p>ab<br>c<br></p>'],
  ['- [x] done{Enter}more', '<ul><li data-checked="true">done</li><li data-checked="false">more</li></ul>'],
  ['{Control+b}b{Control+b}{Control+i}i{Control+i}', '<p><strong>b</strong><em>i</em></p>'],
  ['{Control+e}ls -l{Control+e} {Control+Alt+x}x{Control+Alt+x}y', '<p><code>ls -l</code> <del>x</del>y</p>'],
  ['1) one{Enter}2) two', '<ol><li>one</li><li>two</li></ol>'],
  ['***both*** x', '<p><em><strong>both</strong></em> x</p>'],
  ['2 * 3 * 4, 5*6*7, 2 ** 3 ** 4, ~5 or ~6', '<p>2 * 3 * 4, 5*6*7, 2 ** 3 ** 4, ~5 or ~6</p>'],
  ['a [**two** words](example.com) b', '<p>a <a href="https://example.com"><strong>two</strong> words</a> b</p>'],
  ['a [1](no address), ![x](/y.png)', '<p>a [1](no address), ![x](/y.png)</p>'],
  ['(https://e.com/a_(b)). c', '<p>(<a href="https://e.com/a_(b)">https://e.com/a_(b)</a>). c</p>'],
  ['“https://e.com/a” b', '<p>“<a href="https://e.com/a">https://e.com/a</a>” b</p>'],
  ['[call](tel:+491)', '<p><a href="tel:+491">call</a></p>'],
  ['https://e.com{Enter}x', '<p><a href="https://e.com">https://e.com</a></p><p>x</p>'],
  ['https://e.com {Backspace}x', '<p>https://e.com x</p>'],
  ['`https://e.com ` x', '<p><code>https://e.com </code> x</p>'],
  ['## {Backspace}x', '<p>## x</p>'],
] as const;
testTyping(
  'Markdown as it is typed: %s',
  MARKDOWN.map(([line, html]) => [line, '', line, html]),
);

describe('footnotes as Markdown types them', () => {
  const mark = (number: number, again = '') =>
    `<sup><a href="#fn-${number}" id="fnref-${number}${again}" data-footnote-ref="">${number}</a></sup>`;
  const back = (number: number) => `<a href="#fnref-${number}" data-footnote-backref="">↩</a>`;
  const note = (number: number, words: string) => `<li id="fn-${number}"><p>${words} ${back(number)}</p></li>`;
  const section = (...notes: string[]) => `<section data-footnotes=""><ol>${notes.join('')}</ol></section>`;

  test('a second note, and a second mark of the first', async () => {
    await show(`<p>Ink${mark(1)}</p>${section(note(1, 'Very'))}<p>b</p>`);
    await keys('[^x] and[^1]');
    const again = '<a href="#fnref-1-2" data-footnote-backref';
    const words = `<p>b${mark(2)} and${mark(1, '-2')}</p>`;
    for (const part of [words, `<li id="fn-1"><p>Very ${back(1)}`, again, '<li id="fn-2">'])
      expect(await shown()).toContain(part);
  });

  const old = `<p>Ink${mark(1)} is old</p>${section(note(1, 'Very'))}`;
  testTyping('%s', [
    ['a mark and its note, and words behind both', '', 'Ink[^1] is old{Enter}[^1]: Very', old],
    ['one step gives back what was typed', '', 'Ink[^1]{Backspace}', '<p>Ink[^1]</p>'],
    ['code stays', '', '`a[^1]` b', '<p><code>a[^1]</code> b</p>'],
  ]);
});

const cellBlocks = TABLE.replace('>2<', '><p>2</p><p>c<br>d</p><');
const newRow = TABLE.replace('2</td></tr>', '2!</td></tr><tr><td>c</td><td></td></tr>');
testTyping('in a table: %s', [
  ['Enter begins another block of the cell, Shift+Enter a line', TABLE, '{Enter}c{Shift+Enter}d', cellBlocks],
  ['Tab goes from the last cell into a new row, Shift+Tab back', TABLE, '{Tab}c{Shift+Tab}{End}!', newRow],
  ['Control+Enter leaves it', TABLE, '{Control+Enter}after', `${TABLE}<p>after</p>`],
]);

testTyping('signs typed before words leave them: %s', [
  ['a break', '<p>words</p>', '{Home}---', '<hr><p>words</p>'],
  ['… before a heading', '<h2>words</h2>', '{Home}---', '<hr><h2>words</h2>'],
  ['… in an item', '<ul><li>a <u>b</u></li></ul>', '{Home}___ ', '<ul><li><hr>a <u>b</u></li></ul>'],
  ['a table, which wants a line of its own', '<p>words</p>', '{Home}|2x2| ', '<p>|2x2| words</p>'],
  ['a link in code', '', '{Control+e}[a](b.com)', '<p><code>[a](b.com)</code></p>'],
  ['a link between backticks', '', '`[a](b.com)` x', '<p><code>[a](b.com)</code> x</p>'],
]);

const cell = (words: string) => `<table><tbody><tr><td>${words}</td></tr></tbody></table>`;
const CELL = cell('1');
const CODE = '<pre><code>a</code></pre>';
testTyping('where blocks meet: %s', [
  ['Backspace makes a heading a paragraph', '<p>a</p><h2>b</h2>', '{Home}{Backspace}', '<p>a</p><p>b</p>'],
  ['Delete takes a heading’s first letter', '<h2>ab</h2>', '{Home}{Delete}', '<h2>b</h2>'],
  ['Delete takes an item’s first letter', '<ul><li>ab</li></ul>', '{Home}{Delete}', '<ul><li>b</li></ul>'],
  ['Backspace makes empty code a paragraph', '<pre><code></code></pre>', '{Backspace}x', '<p>x</p>'],
  ['Backspace goes into a table', `${CELL}<p>b</p>`, '{Home}{Backspace}{Backspace}2', `${cell('2')}<p>b</p>`],
  ['… and takes an empty line with it', `${CELL}<p></p><p>c</p>`, '{ArrowUp}{Backspace}2', `${cell('12')}<p>c</p>`],
  ['Delete goes into a table', `<p>a</p>${CELL}`, '{Control+Home}{End}{Delete}2', `<p>a</p>${cell('21')}`],
  ['Backspace chooses a picture before it removes it', `${FIGURE}<p>b</p>`, '{Home}{Backspace}', `${FIGURE}<p>b</p>`],
  ['… pressed again, it does', `${FIGURE}<p>b</p>`, '{Home}{Backspace}{Backspace}x', '<p>xb</p>'],
  ['… also from the head of its caption', `<p>a</p>${FIGURE}`, '{Home}{Backspace}{Backspace}', '<p>a</p>'],
  ['Delete too', `<p>a</p>${FIGURE}<p>b</p>`, '{Control+Home}{End}{Delete}{Delete}', '<p>a</p><p>b</p>'],
  ['Enter leaves a caption', FIGURE, '{Enter}x', `${FIGURE}<p>x</p>`],
  ['… with what stood behind the cursor', FIGURE, '{ArrowLeft}{Enter}x', `${FIGURE.replace('said', 'sai')}<p>xd</p>`],
  ['Up in code’s second line stays in it', CODE.replace('a', 'a\nb'), '{Home}{ArrowUp}x', CODE.replace('a', 'xa\nb')],
  ['Tab in a list’s first item stays within it', '<ul><li>one</li></ul>', '{Tab}x', '<ul><li>onex</li></ul>'],
]);

const codeCases = [
  ['Tab indents, also the next line, Shift+Tab goes back', 'a', '{Home}{Tab}x{End}{Enter}y{Shift+Tab}', '  xa\ny'],
  ['Tab indents all chosen lines', 'a\n  b\nc', '{Shift+ArrowUp}{Shift+ArrowUp}{Tab}', '  a\n    b\n  c'],
  ['… by what the code is indented with', 'a\n\tb', '{Tab}c', 'a\n\tb\tc'],
  ['Shift+Tab takes no letter', 'a\n b', '{Shift+Tab}{Shift+Tab}', 'a\nb'],
] as const;
const code = (text: string) => `<pre><code>${text}</code></pre>`;
testTyping(
  'in code: %s',
  codeCases.map(([name, text, line, expected]) => [name, code(text), line, code(expected)]),
);

const wholeCases = [
  ['a list', '{Control+Alt+8}', '<ul><li>a</li><li>b</li></ul>'],
  ['… off again', '{Control+Alt+8}{Control+Alt+8}', '<p>a</p><p>b</p>'],
  ['… of another kind', '{Control+Alt+8}{Control+a}{Control+Alt+7}', '<ol><li>a</li><li>b</li></ol>'],
  ['a quote', '{Control+Shift+b}', '<blockquote><p>a</p><p>b</p></blockquote>'],
  ['… off again', '{Control+Shift+b}{Control+a}{Control+Shift+b}', '<p>a</p><p>b</p>'],
  ['headings', '{Control+Alt+2}', '<h2>a</h2><h2>b</h2>'],
  ['… off again', '{Control+Alt+2}{Control+Alt+0}', '<p>a</p><p>b</p>'],
] as const;
testTyping(
  'the whole text chosen is made: %s',
  wholeCases.map(([name, line, expected]) => [name, '<p>a</p><p>b</p>', `{Control+a}${line}`, expected]),
);

test.each([
  ...['---', '___ ', '*** ', '|2x2| ', '{Home}---', '{Home}|2x2| ', '## ', '``` ', '```js{Enter}'],
  ...['{Control+Alt+2}', '{Control+Alt+0}', '{Control+Alt+c}'],
])('a caption stays one at %s', async (line) => {
  await show(FIGURE.replace('said', ''));
  await page.locator('figcaption').click();
  await keys(line);
  expect(await shown()).toMatch(/^<figure><img src="\/a.png" alt="x">/);
  await show(FIGURE);
  await keys(line);
  expect(await shown()).toMatch(/^<figure><img src="\/a.png" alt="x"><figcaption>.*said/);
});

describe('what is pasted, and what is typed behind it', () => {
  const LIST = '<ul><li>one</li><li>two</li></ul>';

  test('an address over words makes a link of them, and they stay', async () => {
    await show('<p>see this</p>');
    await keys('{Shift+Home}');
    await paste({ 'text/plain': 'https://e.com/' });
    await keys('x');
    expect(await shown()).toBe('<p><a href="https://e.com/">see this</a>x</p>');
  });

  test('cells in a table are kept', async () => {
    await show(TABLE);
    await paste({ 'text/html': '<table><tr><td>a</td><td>b</td></tr></table>' });
    await keys('x');
    expect(await shown()).toBe(TABLE.replace('2</td>', 'a</td><td>bx</td>'));
  });

  test.each([
    ['words', { 'text/plain': 'pasted' }, '<p>typed pasted</p>'],
    ['Markdown', { 'text/plain': '- a\n- b' }, '<p>typed a</p><ul><li>b</li></ul>'],
    ['an address', { 'text/plain': 'https://e.com/' }, '<p>typed <a href="https://e.com/">https://e.com/</a></p>'],
  ])('%s: one step back, and what was typed just before or behind another', async (_what, data, pasted) => {
    await show('<p></p>');
    await keyboard.type('typed ');
    await paste(data);
    expect(await shown()).toBe(pasted);
    await keyboard.type('on');
    expect(await shown()).toMatch(/on(?=<)/);
    await keys('{Control+z}');
    // On a slow machine, the letters may be typed over half a second apart and are then undone one by one.
    if ((await shown()) !== pasted) await keys('{Control+z}');
    expect(await shown()).toBe(pasted);
    await keys('{Control+z}');
    expect(await shown()).toBe('<p>typed </p>');
  });

  test('a picture: one step back, and what was typed just before another', async () => {
    await show('<p></p>');
    await keyboard.type('typed');
    await keyboard.press('Enter');
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(3, 2);
      canvas.getContext('2d');
      const bitmap = await canvas.convertToBlob();
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bitmap], 'image.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('.ProseMirror')?.dispatchEvent(event);
    });
    await page.locator('.ProseMirror img[src]').waitFor();
    await keys('{Control+z}');
    await page.locator('.ProseMirror img[src]').waitFor({ state: 'detached' });
    expect(await shown()).toBe('<p>typed</p>');
  });

  test('lines of code behind words stay lines', async () => {
    await show('<p>a</p>');
    await paste({ 'text/html': '<pre>one\ntwo</pre>', 'text/plain': 'one\ntwo' });
    expect(await shown()).toBe('<p>a</p><pre><code>one\ntwo</code></pre>');
  });

  test.each([
    ['a tight list', LIST],
    ['a loose list', '<ul><li><p>one</p></li><li><p>two</p></li></ul>'],
    ['a table', TABLE],
    ['a table with a header', `<table><thead><tr><th>h</th><th>i</th></tr></thead>${TABLE.slice('<table>'.length)}`],
    [
      'HTML that is kept as it is',
      `<p class="x">b &amp; "c"</p>${TABLE.replace('>', '><caption>d</caption>')}<p>e</p>`,
    ],
    ['a picture', FIGURE],
    ['nested lists and a quote', `<ol start="3"><li>a${LIST}</li></ol><blockquote><p>q</p></blockquote>`],
  ])('%s that was cut out comes back as it was', async (_name, html) => {
    await show(html);
    await keys('{Control+a}{Control+x}');
    expect(await shown()).not.toContain(html);
    await keys('{Control+v}');
    expect(await shown()).toBe(html);
  });
});

test.each([
  ['stand in the empty paragraph below it', `<p>${PICTURE}</p><p></p>`, `<p>${PICTURE}</p><p>on</p>`],
  ['stand before what is below it', `<p>${PICTURE}</p><p>a</p>`, `<p>${PICTURE}</p><p>on</p><p>a</p>`],
  ['stand below its caption', `${FIGURE}<p>b</p>`, `${FIGURE}<p>on</p><p>b</p>`],
  ['stand behind it among words', `<p>a ${PICTURE} b</p>`, `<p>a ${PICTURE}on b</p>`],
  ['stand in its item', `<ul><li>${PICTURE}</li></ul>`, `<ul><li><p>${PICTURE}</p><p>on</p></li></ul>`],
])('letters typed while a picture is chosen %s', async (_name, html, expected) => {
  await show(html);
  await choosePicture();
  await keyboard.type('on');
  expect(await shown()).toBe(expected);
});

describe('the slash menu', () => {
  testTyping('%s', [
    ['knows headings by their rank', '', '/h2{Enter}x', '<h2>x</h2>'],
    ['leaves the words as they are at Escape', '', '/tab{Escape}{Enter}x', '<p>/tab</p><p>x</p>'],
  ]);

  test('offers what is typed, tells which one is chosen, and Enter takes it', async () => {
    await show();
    await keys('/num');
    const menu = page.getByRole('listbox', { name: 'Blocks' });
    const chosen = menu.getByRole('option', { selected: true });
    await expect.poll(() => chosen.textContent()).toMatch(/Numbered list/);
    const text = page.getByRole('textbox', { name: 'Content' });
    const active = () => text.getAttribute('aria-activedescendant');
    await expect.poll(active).toBe(await chosen.getAttribute('id'));
    expect(await text.getAttribute('aria-controls')).toBe(await menu.getAttribute('id'));
    await keys('{Enter}one');
    expect(await shown()).toBe('<ol><li>one</li></ol>');
    await expect.poll(active).toBeNull();
  });
});

test.each([
  ['leaves bold on', '<p>a</p>', '{Control+b}b{Shift+Enter}c', '<p>a<strong>b<br>c</strong></p>'],
  ['lets a link be one', '<p><a href="/x">ab</a></p>', '{ArrowLeft}{Shift+Enter}', `<p>${LINK}</p>`],
  ['lets a bold link be one', `<p>${LINK}</p>`, '{Control+a}{Control+b}', `<p><strong>${LINK}</strong></p>`],
])('a line’s end within a block %s', async (_what, before, line, after) => {
  await show(before);
  await keys(line);
  expect(await shown()).toBe(after);
  await keys('{Control+z}'.repeat(5));
  expect(await shown()).toBe(before);
  await keys('{Control+Shift+z}'.repeat(5));
  expect(await shown()).toBe(after);
});

test.each([
  ['typing', 'words'],
  ['a heading', '## '],
  ['bold', '{Control+b}x'],
  ['a list', '{Control+Alt+8}'],
  ['a table', '/table{Enter}x'],
  ['deleting', '{Control+a}{Delete}'],
])('undo goes back over %s', async (_what, line) => {
  const before = '<p>As it was</p><p>here</p>';
  await show(before);
  await keys(`{Enter}${line}`);
  expect(await shown()).not.toBe(before);
  for (let press = 0; press < 20 && (await shown()) !== before; press += 1) await keys('{Control+z}');
  expect(await shown()).toBe(before);
  await keys('{Control+Shift+z}'.repeat(20));
  expect(await shown()).not.toBe(before);
});

describe('input methods and other scripts', () => {
  test('Japanese: what is composed arrives once, and Enter within it ends no paragraph', async () => {
    await show('<p>前</p>');
    await compose(['k', 'か', 'かn', 'かん', '感', '漢'], '漢');
    await compose(['j', 'じ'], '字');
    await keys('{Enter}');
    await compose(['ひ', 'ひら'], 'ひら');
    expect(await shown()).toBe('<p>前漢字</p><p>ひら</p>');
  });

  test.each([
    ['<p><strong>a</strong></p>', '<p><strong>a漢</strong></p>'],
    ['<ul><li>a</li></ul>', '<ul><li>a漢</li></ul>'],
    ['<h2>a</h2>', '<h2>a漢</h2>'],
    ['<table><tbody><tr><td></td></tr></tbody></table>', '<table><tbody><tr><td>漢</td></tr></tbody></table>'],
    ['<blockquote><p>a</p></blockquote>', '<blockquote><p>a漢</p></blockquote>'],
  ])('composed within %s', async (html, composed) => {
    await show(html);
    await compose(['k', 'か'], '漢');
    expect(await shown()).toBe(composed);
  });

  test.each([
    ['a picture', `<p>${PICTURE}</p>`, `<p>${PICTURE}</p><p>漢</p><p>b</p>`],
    ['a picture with a caption', FIGURE, `${FIGURE}<p>漢</p><p>b</p>`],
    ['a picture among words', `<p>a ${PICTURE} c</p>`, `<p>a ${PICTURE}漢 c</p><p>b</p>`],
  ])('composed while %s is chosen: it stays', async (_what, html, composed) => {
    await show(`${html}<p>b</p>`);
    await choosePicture();
    const key = { key: 'Process', code: 'KeyN', windowsVirtualKeyCode: 229 };
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await compose(['k', 'か'], '漢');
    expect(await shown()).toBe(composed);
  });

  const blocks = [TABLE, FIGURE, '<pre><code>a\nb</code></pre>', '<hr>', '<blockquote><p>q</p></blockquote>'];
  test.each(blocks)('composed while all of a text is chosen that begins with %s', async (html) => {
    await show(`${html}<p>b</p>`);
    await keys('{Control+a}');
    await compose(['k', 'か'], '漢');
    expect(await shown()).toBe('<p>漢</p>');
    await keys('{Control+z}');
    expect(await shown()).toBe(`${html}<p>b</p>`);
  });

  test('a composed slash opens the menu, which takes no key of the input method', async () => {
    await show();
    await cdp.send('Input.imeSetComposition', { text: 'ー', selectionStart: 1, selectionEnd: 1 });
    await keyboard.press('ArrowDown');
    await cdp.send('Input.insertText', { text: '道' });
    expect(await shown()).toBe('<p>道</p>');
  });

  test('Korean: each syllable replaces the last', async () => {
    await show();
    await compose(['ㅎ', '하', '한'], '한');
    await compose(['ㄱ', '그', '글'], '글');
    expect(await shown()).toBe('<p>한글</p>');
    await keys('{Control+z}{Control+z}');
    expect(await shown()).toBe('');
  });

  test('right-to-left words run so, block by block, and Markdown works within them', async () => {
    await show('<p>English</p>');
    await keys('{Enter}שלום **עולם** {Enter}- אחת');
    expect(await shown()).toBe('<p>English</p><p>שלום <strong>עולם</strong> </p><ul><li>אחת</li></ul>');
    const blocks = page.locator('.ProseMirror :is(p, li)');
    const directions = await blocks.evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
    // The last block is the empty line below the list.
    expect(directions).toEqual(['ltr', 'rtl', 'rtl', 'rtl', 'ltr']);
  });

  testTyping('%s', [['Backspace takes a whole emoji', '<p>a👩‍👩‍👧‍👦</p>', '{Backspace}', '<p>a</p>']]);
});

const words = (number: number) => `Paragraph ${number} is about ink, paper and everything that happens between them.`;
const paragraphs = Array.from({ length: 200 }, (_, number) => `<p>${words(number)}</p>`);
const changed = (from: number, count: number, by: string) => paragraphs.toSpliced(from, count, by).join('');

test.each([
  ['two paragraphs become one', '{Home}{Backspace}|', changed(99, 2, `<p>${words(99)}|${words(100)}</p>`)],
  ['… and two again', '{Home}{Backspace}{Enter}', paragraphs.join('')],
  ['the cursor goes to both ends', '{Control+End}x{Control+Home}{Control+Shift+End}{Backspace}y', '<p>y</p>'],
  ['all of it is replaced', '{Control+a}x', '<p>x</p>'],
  ['… and comes back', '{Control+a}x{Control+z}', paragraphs.join('')],
])('in a long text %s', async (_name, line, expected) => {
  await show(paragraphs.join(''));
  await page.locator('.ProseMirror > p').nth(100).click();
  await keys(line);
  expect(await shown()).toBe(expected);
});

test('a letter is in the text for whoever asks in the same moment, and a paste stands behind it', async () => {
  await show('<p>a</p>');
  await page.evaluate(() => {
    const text = document.querySelector('.ProseMirror') as HTMLElement;
    text.addEventListener(
      'input',
      async () => {
        await Promise.resolve();
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', `pasted behind ${window.shown()}`);
        text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { once: true },
    );
  });
  await keyboard.press('b');
  await expect.poll(shown).toBe('<p>abpasted behind &lt;p&gt;ab&lt;/p&gt;</p>');
});

test('words restored while the editor is being created take the place of the old ones', async () => {
  await page.evaluate(() => window.show('<p>old</p>', '', '<p>restored</p>'));
  await page.locator('.ProseMirror', { hasText: 'restored' }).focus();
  await keys('{Control+End}!');
  expect(await shown()).toBe('<p>restored!</p>');
});

test('a shortcut right after a click acts where the click was', async () => {
  const text = '<p>Words with <a href="https://e.com/">a link</a> and more.</p>';
  await show(`${text}${'<p>x</p>'.repeat(30)}<p>The end</p>`);
  await keyboard.press('Enter');
  await keyboard.type('/');
  await page.getByRole('listbox', { name: 'Blocks' }).waitFor();
  for (const key of ['Escape', 'Backspace']) await keyboard.press(key);
  await page.getByText('a link').click();
  await keyboard.press('Control+k');
  expect(await page.getByRole('group', { name: 'Link' }).getByRole('textbox').inputValue()).toBe('https://e.com/');
});

test.each([
  ['large', '<p><img src="/a.png" width="300" height="220"></p>'],
  ['with a caption', '<figure><img src="/a.png" width="300" height="220"><figcaption>of it</figcaption></figure>'],
  ['small', '<p>a</p><p>b</p><p>c</p><p>d</p><p><img src="/a.png" width="40" height="30"></p>'],
])('the tools of a picture that is %s take no click meant for the words below it', async (_name, picture) => {
  await show(`<p>above</p>${picture}<p>below</p><p>last</p>`);
  await page.locator('.ProseMirror img[width]').click();
  await page.locator('.editor-bubble').waitFor();
  // Playwright's click fails if another element covers the words.
  await page.locator('p', { hasText: 'below' }).click();
  await keys('{End}!');
  expect(await shown()).toContain('<p>below!</p>');
  await page.locator('.editor-bubble').waitFor({ state: 'detached' });
});
