import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editorPage } from './chromium.ts';
import type { Command } from './page.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  ({ browser, page } = await editorPage());
});
afterAll(() => browser?.close());

const TABLE =
  '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>|1</td><td>2</td></tr></tbody></table>';
const FIGURE = (words: string) => `<figure><img src="/a.png" alt="x"><figcaption>${words}</figcaption></figure>`;
const range = { from: 1, to: 5 };

const cases: [what: string, before: string, commands: Command[], after: string][] = [
  ['bold', '<p>|word| x</p>', [['mark', 'strong']], '<p><strong>word</strong> x</p>'],
  ['bold off', '<p><strong>|word|</strong></p>', [['mark', 'strong']], '<p>word</p>'],
  ['a heading', '<p>|word</p>', [['block', 'heading', { level: 2 }]], '<h2>word</h2>'],
  ['the same heading again', '<h2>|word</h2>', [['block', 'heading', { level: 2 }]], '<p>word</p>'],
  ['another heading', '<h2>|word</h2>', [['block', 'heading', { level: 3 }]], '<h3>word</h3>'],
  ['a code block', '<p>|word</p>', [['block', 'code_block']], '<pre><code>word</code></pre>'],
  ['several lines of code', '<p>|a<br>b</p><p>c|</p>', [['block', 'code_block']], '<pre><code>a\nb\nc</code></pre>'],
  ['code as text', '<pre><code>|a\nb</code></pre>', [['block', 'code_block']], '<p>a<br>b</p>'],
  [
    'lines of code around a picture',
    '<p>|a</p><p>b <img src="/a.png" alt="x"></p><p>c|</p>',
    [['block', 'code_block']],
    '<pre><code>a</code></pre><p>b <img src="/a.png" alt="x"></p><pre><code>c</code></pre>',
  ],
  ['a heading from a caption', FIGURE('|said'), [['block', 'heading', { level: 2 }]], FIGURE('said')],
  ['code from a caption', FIGURE('|said'), [['block', 'code_block']], FIGURE('said')],
  [
    'headings around a picture',
    `<p>|a</p>${FIGURE('said')}<p>b|</p>`,
    [['block', 'heading', { level: 2 }]],
    `<h2>a</h2>${FIGURE('said')}<h2>b</h2>`,
  ],
  [
    'a list and what follows as one list',
    '<ul><li>|one</li></ul><p>two</p><ol><li>three|</li></ol>',
    [['list', 'ordered']],
    '<ol><li>one</li><li>two</li><li>three</li></ol>',
  ],
  [
    'a list from headings',
    '<h2>|one</h2><p>two</p><h3>three|</h3>',
    [['list', 'bullet']],
    '<ul><li>one</li><li>two</li><li>three</li></ul>',
  ],
  [
    'a heading that goes into the list above',
    '<ul><li>|one</li></ul><h2>two|</h2>',
    [['list', 'bullet']],
    '<ul><li>one</li><li>two</li></ul>',
  ],
  ['a quote', '<p>|word</p>', [['quote']], '<blockquote><p>word</p></blockquote>'],
  ['a quote off', '<blockquote><p>|word</p></blockquote>', [['quote']], '<p>word</p>'],
  ['a list', '<p>|one</p><p>two|</p>', [['list', 'bullet']], '<ul><li>one</li><li>two</li></ul>'],
  ['a list off', '<ul><li>|one</li></ul>', [['list', 'bullet']], '<p>one</p>'],
  ['a list numbered', '<ul><li>|one</li><li>two</li></ul>', [['list', 'ordered']], '<ol><li>one</li><li>two</li></ol>'],
  ['numbers taken back', '<ol start="3"><li>|one</li></ol>', [['list', 'bullet']], '<ul><li>one</li></ul>'],
  ['a task list', '<p>|one</p>', [['list', 'task']], '<ul><li data-checked="false">one</li></ul>'],
  [
    'a list made of tasks',
    '<ul><li>|one</li><li>two</li></ul>',
    [['list', 'task']],
    '<ul><li data-checked="false">one</li><li data-checked="false">two</li></ul>',
  ],
  ['tasks made plain', '<ul><li data-checked="true">|one</li></ul>', [['list', 'bullet']], '<ul><li>one</li></ul>'],
  ['a tick', '<ul><li data-checked="false">|one</li></ul>', [['tick']], '<ul><li data-checked="true">one</li></ul>'],
  [
    'only the inner list',
    '<ul><li>a<ul><li>|b</li></ul></li></ul>',
    [['list', 'ordered']],
    '<ul><li>a<ol><li>b</li></ol></li></ul>',
  ],
  ['a break in place of an empty line', '<p>a</p><p>|</p>', [['rule']], '<p>a</p><hr>'],
  ['a break below a line', '<p>a|</p><p>b</p>', [['rule']], '<p>a</p><hr><p>b</p>'],
  [
    'a table',
    '<p>|</p>',
    [['table']],
    '<table><thead><tr><th></th><th></th><th></th></tr></thead><tbody><tr><td></td><td></td><td></td></tr><tr><td></td><td></td><td></td></tr></tbody></table>',
  ],
  [
    'a column aligned',
    TABLE,
    [['align', 'right']],
    '<table><thead><tr><th align="right">A</th><th>B</th></tr></thead><tbody><tr><td align="right">1</td><td>2</td></tr></tbody></table>',
  ],
  [
    'the alignment taken back',
    TABLE,
    [
      ['align', 'right'],
      ['align', 'right'],
    ],
    TABLE.replace('|', ''),
  ],
  [
    'no header row',
    TABLE,
    [['headerRow']],
    '<table><tbody><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></tbody></table>',
  ],
  ['a header row again', TABLE, [['headerRow'], ['headerRow']], TABLE.replace('|', '')],
  ['a link', '<p>|word|</p>', [['setLink', '/x', range]], '<p><a href="/x">word</a></p>'],
  [
    'another address',
    '<p><a href="/x">|word|</a></p>',
    [['setLink', 'mailto:a@b.co', range]],
    '<p><a href="mailto:a@b.co">word</a></p>',
  ],
  [
    'a link without words',
    '<p>|</p>',
    [['setLink', 'mailto:a@b.co', { from: 1, to: 1 }]],
    '<p><a href="mailto:a@b.co">a@b.co</a></p>',
  ],
  ['no link', '<p><a href="/x">|word|</a></p>', [['removeLink', range]], '<p>word</p>'],
  ['a caption', '<p><img src="/a.png" alt="A"></p>', [['caption', 1]], '<figure><img src="/a.png" alt="A"></figure>'],
  [
    'a caption for a picture among words',
    '<p>x<img src="/a.png" alt="A">y</p>',
    [['caption', 2]],
    '<p>xy</p><figure><img src="/a.png" alt="A"></figure>',
  ],
  [
    'no caption: its words stay',
    '<figure><img src="/a.png" alt="A"><figcaption>Of A</figcaption></figure>',
    [['caption', 0]],
    '<p><img src="/a.png" alt="A"></p><p>Of A</p>',
  ],
  ['undo', '<p>|word|</p>', [['mark', 'strong'], ['undo']], '<p>word</p>'],
];

test.each(cases)('%s', async (_what, before, commands, after) => {
  expect(await page.evaluate(([text, list]) => window.act(text, ...list), [before, commands] as const)).toBe(after);
});
