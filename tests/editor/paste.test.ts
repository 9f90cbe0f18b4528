import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editorPage, screenPage } from './chromium.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  ({ browser, page } = await editorPage());
});
afterAll(() => browser?.close());

const paste = (html: string) => page.evaluate((text) => window.paste('html', text), html);
const pasteText = (text: string) => page.evaluate((plain) => window.paste('text', plain), text);

test('Google Docs: bold that is a style, a wrapper that is not bold', async () => {
  expect(
    await paste(
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:700">Bold</span><span style="font-style:italic"> and italic</span><span style="text-decoration:line-through"> gone</span></p><h2 dir="ltr"><span>Part</span></h2><ul><li dir="ltr"><p dir="ltr"><span>one</span></p></li></ul></b>',
    ),
  ).toBe('<p><strong>Bold</strong><em> and italic</em><del> gone</del></p><h2>Part</h2><ul><li>one</li></ul>');
});

test('Word: lists that are paragraphs, its own tags and comments', async () => {
  expect(
    await paste(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{margin:0}</style></head><body><!--StartFragment-->
<h1>Report<o:p></o:p></h1>
<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>First<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>a.<span>&nbsp; </span></span>Inner<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span><b>Second</b><o:p></o:p></p>
<p class=MsoNormal>After<o:p></o:p></p>
<!--EndFragment--></body></html>`,
    ),
  ).toBe('<h1>Report</h1><ol><li>First<ol><li>Inner</li></ol></li><li><strong>Second</strong></li></ol><p>After</p>');
});

test('a web page: divs are paragraphs, script and style are not words', async () => {
  expect(
    await paste(
      '<div class="x"><div>One</div><div onclick="hack()">Two <i>i</i></div></div><script>hack()</script><style>p{}</style><p style="position:fixed">Three <a href="javascript:hack()">link</a></p>',
    ),
  ).toMatch(/^<p>One<\/p><p>Two <em>i<\/em><\/p><p>Three /);
});

test('a web page’s words are not taken for HTML that our editor keeps', async () => {
  expect(await paste('<div data-opaque="&lt;script&gt;"><p>One</p></div>')).toBe('<p>One</p>');
});

test('a link that runs script is no link', async () => {
  expect(await paste('<p><a href="javascript:alert(1)">press</a> <a href="https://example.com/">go</a></p>')).toBe(
    '<p>press <a href="https://example.com/">go</a></p>',
  );
});

test('a task list of a web page keeps its ticks', async () => {
  expect(
    await paste(
      '<ul><li><input type="checkbox" checked disabled> done</li><li><input type="checkbox"> to do</li></ul>',
    ),
  ).toBe('<ul><li data-checked="true">done</li><li data-checked="false">to do</li></ul>');
});

test('a spreadsheet’s cells are a table without a header', async () => {
  expect(await paste('<table><colgroup><col></colgroup><tr><td style="width:9pt">a</td><td>b</td></tr></table>')).toBe(
    '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>',
  );
});

test('a definition list is a list that keeps each term with its meanings', async () => {
  expect(await paste('<dl><dt>Term</dt><dd>Meaning</dd></dl>')).toBe(
    '<ul><li><strong>Term</strong><br>Meaning</li></ul>',
  );
  expect(
    await paste('<dl><div><dt>A</dt><dt>B</dt><dd>one</dd><dd>two</dd></div><dt>C</dt><dd><p>x</p><p>y</p></dd></dl>'),
  ).toBe(
    '<ul><li><strong>A</strong><br><strong>B</strong><br>one<br>two</li><li><p><strong>C</strong></p><p>x</p><p>y</p></li></ul>',
  );
});

test('links to telephones and mailboxes stay', async () => {
  const links = ['tel:+491', 'sms:+491', 'mailto:a@b.co'].map((href) => `<a href="${href}">call</a>`).join(' ');
  expect(await paste(`<p>${links}</p>`)).toBe(`<p>${links}</p>`);
});

test('a list begins with the number of its first item', async () => {
  expect(await paste('<ol><li value="3">one</li><li>two</li></ol>')).toBe(
    '<ol start="3"><li>one</li><li>two</li></ol>',
  );
});

describe('plain text', () => {
  test.each([
    ['https://en.wikipedia.org/wiki/Ink_(disambiguation)', 'https://en.wikipedia.org/wiki/Ink_(disambiguation)', ''],
    ['See (https://e.com/a_(b)).', 'https://e.com/a_(b)', ').'],
    ['“https://e.com/a”, she said', 'https://e.com/a', '”, she said'],
    ['**See** https://e.com/a_(b).', 'https://e.com/a_(b)', '.'],
  ])('links the address in %s as when it is typed', async (text, address, behind) => {
    expect(await pasteText(text)).toContain(`<a href="${address}">${address}</a>${behind}</p>`);
  });

  test.each([
    ['3.\tone\n4.\ttwo', '<ol start="3"><li>one</li><li>two</li></ol>'],
    ['3) one', '<ol start="3"><li>one</li></ol>'],
    ['-\tone', '<ul><li>one</li></ul>'],
    ['#\tPart', '<h1>Part</h1>'],
    ['[ ] to do\n[x] done', '<ul><li data-checked="false">to do</li><li data-checked="true">done</li></ul>'],
    ['[call](tel:+491)', '<p><a href="tel:+491">call</a></p>'],
    ['a\tb', '<p>a b</p>'],
  ])('%j is read as when it is typed', async (text, html) => {
    expect(await pasteText(text)).toBe(html);
  });

  test('keeps its lines', async () => {
    expect(await pasteText('Roses are red\nViolets are blue\n\nSugar')).toBe(
      '<p>Roses are red<br>Violets are blue</p><p>Sugar</p>',
    );
  });

  test('that is Markdown is read as such', async () => {
    expect(await pasteText('## Part\n\n- one\n- **two**\n\n```js\na < b\n```')).toBe(
      '<h2>Part</h2><ul><li>one</li><li><strong>two</strong></li></ul><pre><code class="language-js">a &lt; b</code></pre>',
    );
  });

  test('that is Markdown keeps items, tasks, cells’ lines and what stands above it, and asks for pictures of its folder', async () => {
    expect(await pasteText('1. one\n    - a\n    - b\n2. two\n\n   more')).toBe(
      '<ol><li><p>one</p><ul><li>a</li><li>b</li></ul></li><li><p>two</p><p>more</p></li></ol>',
    );
    expect(await pasteText('* [ ] to do\n* [x] done')).toBe(
      '<ul><li data-checked="false">to do</li><li data-checked="true">done</li></ul>',
    );
    expect(await pasteText('| a |\n|---|\n| b<br>c `<br>` |')).toBe(
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b<br>c <code>&lt;br&gt;</code></td></tr></tbody></table>',
    );
    expect(await pasteText('---\ntitle: "Ink"\ntags:\n  - old\n---\n\n# Ink')).toBe(
      '<pre><code class="language-yaml">title: "Ink"\ntags:\n  - old</code></pre><h1>Ink</h1>',
    );
    expect(await pasteText('[press](javascript:alert(1)) **it**')).toBe('<p>press <strong>it</strong></p>');
    // The picture is only on this device: it is not part of the text before it is uploaded.
    expect(await pasteText('![Boat](./boat.png) and ![lake](https://example.com/lake.png)')).toBe(
      '<p> and <img src="https://example.com/lake.png" alt="lake"></p>',
    );
  });

  test('with tags in it stays text', async () => {
    const pasted = await pasteText('a <img src=x onerror=alert(1)> b');
    expect(pasted).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('with footnotes gets footnotes', async () => {
    expect(await pasteText('Words[^1] and[^2]\n\n[^1]: One\n\n[^2]: Two')).toBe(
      '<p>Words<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup> and<sup><a href="#fn-2" id="fnref-2" data-footnote-ref="">2</a></sup></p><section data-footnotes=""><ol><li id="fn-1"><p>One <a href="#fnref-1" data-footnote-backref="">↩</a></p></li><li id="fn-2"><p>Two <a href="#fnref-2" data-footnote-backref="">↩</a></p></li></ol></section>',
    );
  });
});

test('notes of another pasted text stand with the ones that are there, under numbers of their own', async () => {
  const { browser: another, page: screen } = await screenPage();
  await screen.evaluate(() => window.show('<p>End</p>'));
  const field = screen.locator('.ProseMirror');
  const shown = () => screen.evaluate(() => window.shown());
  const note = (number: number, words: string) =>
    `<li id="fn-${number}"><p>${words} <a href="#fnref-${number}" data-footnote-backref="">↩</a></p></li>`;
  const mark = (number: number) =>
    `<sup><a href="#fn-${number}" id="fnref-${number}" data-footnote-ref="">${number}</a></sup>`;
  for (const text of ['First[^1]\n\n[^1]: Of the first', 'Second[^x]\n\n[^x]: Of the second']) {
    await field.press('Control+Home');
    await screen.evaluate(() => new Promise(requestAnimationFrame));
    await field.evaluate((element, plain) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', plain);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await screen.waitForFunction((words) => window.shown().includes(words), text.slice(-10));
  }
  const first = `<p>First${mark(1)}</p><p>End</p><section data-footnotes=""><ol>${note(1, 'Of the first')}`;
  expect(await shown()).toBe(`<p>Second${mark(2)}</p>${first}${note(2, 'Of the second')}</ol></section>`);
  await field.press('Control+z');
  expect(await shown()).toBe(`${first}</ol></section>`);
  await another.close();
});
