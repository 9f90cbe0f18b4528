import { describe, expect, test } from 'vitest';
import { openEditor } from './hands.ts';

const editor = await openEditor();

async function paste(kind: 'html' | 'plain', content: string): Promise<string> {
  await editor.show();
  await editor.paste({ [`text/${kind}`]: content });
  // Polls, because the editor loads its Markdown parser only when a text first needs it.
  await expect.poll(editor.shown).not.toBe('');
  return editor.shown();
}

const CALLS = ['tel:+491', 'sms:+491', 'mailto:a@b.co'].map((href) => `<a href="${href}">call</a>`).join(' ');
const note = (number: number, words: string) =>
  `<li id="fn-${number}"><p>${words} <a href="#fnref-${number}" data-footnote-backref="">↩</a></p></li>`;
const mark = (number: number) =>
  `<sup><a href="#fn-${number}" id="fnref-${number}" data-footnote-ref="">${number}</a></sup>`;
const section = (...notes: string[]) => `<section data-footnotes=""><ol>${notes.join('')}</ol></section>`;

// pastes.test.ts tests whole documents from other programs.
test.each([
  [
    'divs are paragraphs, script and style are not words',
    '<div class="x"><div>One</div><div onclick="hack()">Two <i>i</i></div></div><script>hack()</script><style>p{}</style><p style="position:fixed">Three</p>',
    '<p>One</p><p>Two <em>i</em></p><p>Three</p>',
  ],
  ['a page’s words are no HTML that we keep', '<div data-opaque="&lt;script&gt;"><p>One</p></div>', '<p>One</p>'],
  [
    'a link that runs script is no link',
    '<p><a href="javascript:alert(1)">press</a> <a href="https://example.com/">go</a></p>',
    '<p>press <a href="https://example.com/">go</a></p>',
  ],
  [
    'a definition list keeps each term with its meanings',
    '<dl><div><dt>A</dt><dt>B</dt><dd>one</dd><dd>two</dd></div><dt>C</dt><dd><p>x</p><p>y</p></dd></dl>',
    '<ul><li><strong>A</strong><br><strong>B</strong><br>one<br>two</li><li><p><strong>C</strong></p><p>x</p><p>y</p></li></ul>',
  ],
  ['links to telephones and mailboxes stay', `<p>${CALLS}</p>`, `<p>${CALLS}</p>`],
  ['a list begins with the number of its first item', '<ol><li value="3">a</li></ol>', '<ol start="3"><li>a</li></ol>'],
])('%s', async (_what, html, expected) => expect(await paste('html', html)).toBe(expected));

describe('plain text', () => {
  test.each([
    ['See (https://e.com/a_(b)).', 'https://e.com/a_(b)', ').'],
    ['**See** https://e.com/a_(b).', 'https://e.com/a_(b)', '.'],
  ])('links the address in %s as when it is typed', async (text, address, behind) =>
    expect(await paste('plain', text)).toContain(`<a href="${address}">${address}</a>${behind}</p>`),
  );

  test.each([
    ['3.\tone\n4.\ttwo', '<ol start="3"><li>one</li><li>two</li></ol>'],
    ['3) one', '<ol start="3"><li>one</li></ol>'],
    ['-\tone', '<ul><li>one</li></ul>'],
    ['#\tPart', '<h1>Part</h1>'],
    ['[ ] to do\n[x] done', '<ul><li data-checked="false">to do</li><li data-checked="true">done</li></ul>'],
    ['[call](tel:+491)', '<p><a href="tel:+491">call</a></p>'],
    ['a\tb', '<p>a b</p>'],
    ['Roses are red\nViolets are blue\n\nSugar', '<p>Roses are red<br>Violets are blue</p><p>Sugar</p>'],
    [
      '1. one\n    - a\n    - b\n2. two\n\n   more',
      '<ol><li><p>one</p><ul><li>a</li><li>b</li></ul></li><li><p>two</p><p>more</p></li></ol>',
    ],
    ['* [ ] to do\n* [x] done', '<ul><li data-checked="false">to do</li><li data-checked="true">done</li></ul>'],
    [
      '| a |\n|---|\n| b<br>c `<br>` |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b<br>c <code>&lt;br&gt;</code></td></tr></tbody></table>',
    ],
    [
      '---\ntitle: "Ink"\ntags:\n  - old\n---\n\n# Ink',
      '<pre><code class="language-yaml">title: "Ink"\ntags:\n  - old</code></pre><h1>Ink</h1>',
    ],
    ['[press](javascript:alert(1)) **it**', '<p>press <strong>it</strong></p>'],
    // The first picture is a local file, which is not part of the text until it is uploaded.
    ['![Boat](./boat.png) and ![lake](https://e.com/a.png)', '<p> and <img src="https://e.com/a.png" alt="lake"></p>'],
    ['a <img src=x onerror=alert(1)> b', '<p>a &lt;img src=x onerror=alert(1)&gt; b</p>'],
    [
      'Words[^1] and[^2]\n\n[^1]: One\n\n[^2]: Two',
      `<p>Words${mark(1)} and${mark(2)}</p>${section(note(1, 'One'), note(2, 'Two'))}`,
    ],
  ])('%j is read as when it is typed, or as Markdown', async (text, html) =>
    expect(await paste('plain', text)).toBe(html),
  );
});

test('notes of another pasted text stand with the ones that are there, under numbers of their own', async () => {
  await editor.show('<p>End</p>');
  for (const text of ['First[^1]\n\n[^1]: Of the first', 'Second[^x]\n\n[^x]: Of the second']) {
    await editor.keys('{Control+Home}');
    await editor.paste({ 'text/plain': text });
    await expect.poll(editor.shown).toContain(text.slice(-10));
  }
  const first = `<p>First${mark(1)}</p><p>End</p>`;
  const [one, two] = [note(1, 'Of the first'), note(2, 'Of the second')];
  expect(await editor.shown()).toBe(`<p>Second${mark(2)}</p>${first}${section(one, two)}`);
  await editor.keys('{Control+z}');
  expect(await editor.shown()).toBe(`${first}${section(one)}`);
});
