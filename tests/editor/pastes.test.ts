/**
 * Pastes the HTML or text that other programs put on the clipboard, and expects only its structure, not its styling.
 * The fixtures follow each program's documented output and go through the system clipboard with real key presses.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sanitise } from '#blog/content/sanitise.ts';
import { screenPage } from './chromium.ts';
import { pageOf } from './hands.ts';

const page = await pageOf(screenPage());

/** Puts the data on the clipboard as another program does, pastes it by keyboard and returns the text. */
async function pasted(types: Record<string, string>): Promise<string> {
  await page.evaluate(async (data) => {
    await window.show('');
    const field = document.createElement('textarea');
    field.value = 'copied';
    document.body.append(field);
    field.select();
    field.addEventListener('copy', (event) => {
      for (const [type, content] of Object.entries(data)) event.clipboardData?.setData(type, content);
      event.preventDefault();
      field.remove();
    });
  }, types);
  await page.keyboard.press('Control+c');
  await page.locator('.ProseMirror').click();
  await page.keyboard.press('Control+v');
  await page.waitForFunction(() => window.shown() !== '');
  return page.evaluate(() => window.shown());
}

const fixture = (name: string) => readFileSync(new URL(`./pastes/${name}`, import.meta.url), 'utf8');

const KINDS = '<tr><td><strong>Kind</strong></td><td><strong>Drops</strong></td>';

const EXPECTED: Record<string, string> = {
  'word.clip':
    '<h1>On ink</h1><p>Ink is <strong>old</strong>, <em>patient</em> and <del>cheap</del>, as <a href="https://example.com/ink">everybody</a> knows.</p><ul><li>Soot<ul><li>of lamps</li></ul></li><li>Water</li></ul><h2>How much</h2><table><tbody><tr><td><strong>Kind</strong></td><td align="right"><strong>Drops</strong></td></tr><tr><td>Black</td><td>H<sub>2</sub>O, 10<sup>3</sup></td></tr></tbody></table><blockquote><p>So it was said.</p></blockquote>',
  'google-docs.clip':
    '<h1>On ink</h1><p>Ink is <strong>old</strong>, <em>patient</em> and <a href="https://example.com/ink">known</a>, 10<sup>3</sup> years.</p><ul><li>Soot<ul><li>of lamps</li></ul></li><li>Water</li></ul><ol><li>First</li></ol><table><tbody><tr><td><strong>Kind</strong></td><td align="right">Drops</td></tr><tr><td>Black</td><td><p>two</p><p>blocks</p></td></tr></tbody></table>',
  'libreoffice.clip':
    '<h1>On ink</h1><p>Ink is <strong>old</strong>, <em>patient</em>, <u>dark</u> and <del>cheap</del>, as <a href="https://example.com/ink">everybody</a> knows.</p><ul><li>Soot<ul><li>of lamps</li></ul></li><li>Water</li></ul><ol start="3"><li>Third</li></ol><table><thead><tr><th>Kind</th><th>Drops</th></tr></thead><tbody><tr><td>Black</td><td align="right">H<sub>2</sub>O</td></tr></tbody></table><pre><code>let ink = 1;\nlet paper = 2;</code></pre>',
  'web-page.clip': `<h2>On ink</h2><p>Ink is <strong>old</strong>, <em>patient</em> and <mark>dark</mark>; press <code>Ctrl</code>.</p><p>A second <code>line</code>.</p><blockquote><p>So it was said.</p><blockquote><p>Twice.</p></blockquote></blockquote><pre><code class="language-js">let ink = 1;\nlet paper;</code></pre><ul><li><strong>Soot</strong><br>What lamps leave</li></ul><ul><li data-checked="true">done</li><li>plain</li></ul><p>Kinds</p><table><thead><tr><th align="center">Kind</th><th>Drops</th></tr></thead><tbody><tr><td colspan="2">Black</td></tr></tbody></table><p>The end.</p>`,
  'excel.clip': `<table><tbody>${KINDS}<td><strong>Price</strong></td></tr><tr><td>Black</td><td align="right">12</td><td align="right">1,50 €</td></tr><tr><td colspan="2">Sum</td><td align="right">1,50 €</td></tr></tbody></table>`,
  'google-sheets.clip': `<table><tbody>${KINDS}</tr><tr><td>Black<br>and blue</td><td align="right">12</td></tr></tbody></table>`,
  'calc.clip': `<table><tbody>${KINDS}</tr><tr><td>Black</td><td align="right">12</td></tr><tr><td><a href="https://example.com/ink">Blue</a></td><td></td></tr></tbody></table>`,
  'word-lists.clip':
    '<h1>1. On ink</h1><ul><li>soot</li><li>water</li></ul><ol><li>first<ol><li>letter<ol><li>roman</li></ol></li></ol></li><li>second</li></ol><p>Between</p><ol start="3"><li>goes on</li></ol><p>See above, in London.</p><p>Boxed text</p>',
  'word-notes.clip':
    '<p>Ink is old.<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup> And cheap.<sup><a href="#fn-2" id="fnref-2" data-footnote-ref="">2</a></sup></p><section data-footnotes=""><ol><li id="fn-1"><p>Very <em>old</em>. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li><li id="fn-2"><p>Nearly.</p><p>In two paragraphs. <a href="#fnref-2" data-footnote-backref="">↩</a></p></li></ol></section>',
  'word-online.clip':
    '<h1>On ink</h1><p>Ink is <strong>old</strong><u>u</u></p><ul><li>Soot<ul><li>of lamps</li></ul></li><li>Water</li></ul><ol><li>First</li><li>Second</li></ol><table><tbody><tr><td>Kind</td><td align="right">Drops</td></tr></tbody></table><p><img src="https://example.com/boat.png" alt="A boat"></p>',
  'google-docs-more.clip':
    '<ul><li data-checked="true">done</li><li data-checked="false">to do</li></ul><pre><code>let ink = 1;\n  let paper;</code></pre><p>Ink<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup></p><section data-footnotes=""><ol><li id="fn-1"><p>Very old. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  'libreoffice-notes.clip':
    '<p>Ink is old.<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup> Cheap.<sup><a href="#fn-2" id="fnref-2" data-footnote-ref="">2</a></sup></p><p>marked red mono <code>code</code> deutsch</p><ul><li>Soot<ol><li>of lamps</li></ol></li></ul><ul><li><strong>Term</strong><br>Its meaning</li></ul><pre><code>line 1\nline 2</code></pre><blockquote><p>quote</p></blockquote><hr><p>centre</p><section data-footnotes=""><ol><li id="fn-1"><p>Very old. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li><li id="fn-2"><p>End note. <a href="#fnref-2" data-footnote-backref="">↩</a></p></li></ol></section>',
  'github.clip':
    '<p>Set the <code>style = 1</code> of ink<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup>.</p><section data-footnotes=""><ol><li id="fn-1"><p>Old. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  'code.clip':
    '<pre><code>const a = 1;\n  b();\n\nc</code></pre><pre><code class="language-js">let ink;\n  draw();</code></pre><pre><code class="language-ts">one\n\ntwo</code></pre><pre><code class="language-python">def f():\n    return 1</code></pre><p>E: <code>E = mc^2</code></p><pre><code>const a = 1;\n  b();</code></pre><p>Write <code>&lt;p style="color:red"&gt;</code>, or a style = good.</p>',
  'code-lines.clip': '<pre><code>let a = 1;\n  let b = 2;\nlet c;</code></pre>',
  'mail.clip':
    '<p>Hello, 😀</p><p>a line</p><h2>News</h2><h3>Ink</h3><p>is old</p><ul><li data-checked="true">done</li><li data-checked="false"><p>to do</p></li></ul><p>More</p><p>of it</p>',
  'excel-cell.clip': '<p>just words</p>',
  'markdown.text':
    '<h1>On ink</h1><p>Ink is <strong>old</strong>, <em>patient</em> and <del>cheap</del>, as <a href="https://example.com/ink" title="Ink">everybody</a> knows.<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup><br>A second line.</p><ul><li>Soot<ul><li>of lamps</li></ul></li><li data-checked="true">Water</li></ul><ol start="3"><li>Third</li></ol><blockquote><p>So it was said.</p><blockquote><p>Twice.</p></blockquote></blockquote><table><thead><tr><th>Kind</th><th align="right">Drops</th></tr></thead><tbody><tr><td>Black</td><td align="right"><code>12</code></td></tr></tbody></table><pre><code class="language-js">let ink = 1;</code></pre><hr><section data-footnotes=""><ol><li id="fn-1"><p>Nearly. <a href="#fnref-1" data-footnote-backref="">↩</a></p></li></ol></section>',
  'plain.text': `<p>On ink</p><p>Ink is old.<br>It costs 5 * 3 = 15 and snake_case_names stay.</p><p>See <a href="https://example.com/ink">https://example.com/ink</a>, please.</p>`,
};

test.each(Object.keys(EXPECTED))('%s', async (name) => {
  const html = await pasted({ [name.endsWith('.text') ? 'text/plain' : 'text/html']: fixture(name) });
  expect(html).toBe(EXPECTED[name]);
  expect(sanitise(html)).toBe(html);
});
