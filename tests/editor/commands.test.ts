import { expect, test } from 'vitest';
import { editorPage } from './chromium.ts';
import { pageOf } from './hands.ts';
import type { Command } from './page.ts';

const page = await pageOf(editorPage());
const H2: Command = ['block', 'heading', { level: 2 }];
const CODE: Command = ['block', 'code_block'];
const RIGHT: Command = ['align', 'right'];
const TABLE =
  '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>|1</td><td>2</td></tr></tbody></table>';
const PLAIN_TABLE = TABLE.replace('|', '');
const IMG = '<img src="/a.png" alt="x">';
const FIGURE = (words: string) => `<figure>${IMG}<figcaption>${words}</figcaption></figure>`;
const PRE = (code: string) => `<pre><code>${code}</code></pre>`;
const listOf =
  (tag: 'ul' | 'ol') =>
  (...items: string[]) =>
    `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
const [UL, OL] = [listOf('ul'), listOf('ol')];
const ROW = (cell: 'td' | 'th') => `<tr>${`<${cell}></${cell}>`.repeat(3)}</tr>`;
const EMPTY_TABLE = `<table><thead>${ROW('th')}</thead><tbody>${ROW('td')}${ROW('td')}</tbody></table>`;
const HEADLESS = PLAIN_TABLE.replace('</thead><tbody>', '').replace('thead', 'tbody').replaceAll('th>', 'td>');
const TASKS = '<ul><li data-checked="false">1</li><li data-checked="false">2</li></ul>';
const range = { from: 1, to: 5 };

const cases: [what: string, before: string, commands: Command[], after: string][] = [
  ['bold', '<p>|word| x</p>', [['mark', 'strong']], '<p><strong>word</strong> x</p>'],
  ['bold off', '<p><strong>|word|</strong></p>', [['mark', 'strong']], '<p>word</p>'],
  ['a heading', '<p>|word</p>', [H2], '<h2>word</h2>'],
  ['the same heading again', '<h2>|word</h2>', [H2], '<p>word</p>'],
  ['another heading', '<h2>|word</h2>', [['block', 'heading', { level: 3 }]], '<h3>word</h3>'],
  ['a code block', '<p>|word</p>', [CODE], '<pre><code>word</code></pre>'],
  ['several lines of code', '<p>|a<br>b</p><p>c|</p>', [CODE], '<pre><code>a\nb\nc</code></pre>'],
  ['code as text', '<pre><code>|a\nb</code></pre>', [CODE], '<p>a<br>b</p>'],
  ['code around a picture', `<p>|a</p><p>b ${IMG}</p><p>c|</p>`, [CODE], `${PRE('a')}<p>b ${IMG}</p>${PRE('c')}`],
  ['a heading from a caption', FIGURE('|said'), [H2], FIGURE('said')],
  ['code from a caption', FIGURE('|said'), [CODE], FIGURE('said')],
  ['headings around a picture', `<p>|a</p>${FIGURE('b')}<p>c|</p>`, [H2], `<h2>a</h2>${FIGURE('b')}<h2>c</h2>`],
  ['one list of three', '<ul><li>|1</li></ul><p>2</p><ol><li>3|</li></ol>', [['list', 'ordered']], OL('1', '2', '3')],
  ['a list from headings', '<h2>|1</h2><p>2</p><h3>3|</h3>', [['list', 'bullet']], UL('1', '2', '3')],
  ['a heading goes into the list above', '<ul><li>|1</li></ul><h2>2|</h2>', [['list', 'bullet']], UL('1', '2')],
  ['a quote', '<p>|word</p>', [['quote']], '<blockquote><p>word</p></blockquote>'],
  ['a quote off', '<blockquote><p>|word</p></blockquote>', [['quote']], '<p>word</p>'],
  ['a list', '<p>|one</p><p>two|</p>', [['list', 'bullet']], '<ul><li>one</li><li>two</li></ul>'],
  ['a list off', '<ul><li>|one</li></ul>', [['list', 'bullet']], '<p>one</p>'],
  ['a list numbered', '<ul><li>|one</li><li>two</li></ul>', [['list', 'ordered']], '<ol><li>one</li><li>two</li></ol>'],
  ['numbers taken back', '<ol start="3"><li>|one</li></ol>', [['list', 'bullet']], '<ul><li>one</li></ul>'],
  ['a task list', '<p>|one</p>', [['list', 'task']], '<ul><li data-checked="false">one</li></ul>'],
  ['a list made of tasks', UL('|1', '2'), [['list', 'task']], TASKS],
  ['tasks made plain', '<ul><li data-checked="true">|one</li></ul>', [['list', 'bullet']], '<ul><li>one</li></ul>'],
  ['a tick', '<ul><li data-checked="false">|one</li></ul>', [['tick']], '<ul><li data-checked="true">one</li></ul>'],
  ['only the inner list', UL(`a${UL('|b')}`), [['list', 'ordered']], UL(`a${OL('b')}`)],
  ['a break in place of an empty line', '<p>a</p><p>|</p>', [['rule']], '<p>a</p><hr>'],
  ['a break below a line', '<p>a|</p><p>b</p>', [['rule']], '<p>a</p><hr><p>b</p>'],
  ['a table', '<p>|</p>', [['table']], EMPTY_TABLE],
  ['a column aligned', TABLE, [RIGHT], PLAIN_TABLE.replace(/<(t.)>(?=A|1)/g, '<$1 align="right">')],
  ['the alignment taken back', TABLE, [RIGHT, RIGHT], PLAIN_TABLE],
  ['no header row', TABLE, [['headerRow']], HEADLESS],
  ['a header row again', TABLE, [['headerRow'], ['headerRow']], PLAIN_TABLE],
  ['a link', '<p>|word|</p>', [['setLink', '/x', range]], '<p><a href="/x">word</a></p>'],
  ['another address', '<p><a href="/x">|word|</a></p>', [['setLink', '/y', range]], '<p><a href="/y">word</a></p>'],
  ['a link without words', '<p>|</p>', [['setLink', 'tel:1', { from: 1, to: 1 }]], '<p><a href="tel:1">1</a></p>'],
  ['no link', '<p><a href="/x">|word|</a></p>', [['removeLink', range]], '<p>word</p>'],
  ['a caption', `<p>${IMG}</p>`, [['caption', 1]], `<figure>${IMG}</figure>`],
  ['a caption for a picture among words', `<p>x${IMG}y</p>`, [['caption', 2]], `<p>xy</p><figure>${IMG}</figure>`],
  ['no caption: its words stay', FIGURE('Of it'), [['caption', 0]], `<p>${IMG}</p><p>Of it</p>`],
  ['undo', '<p>|word|</p>', [['mark', 'strong'], ['undo']], '<p>word</p>'],
];

test.each(cases)('%s', async (_what, before, commands, after) =>
  expect(await page.evaluate(([text, list]) => window.act(text, ...list), [before, commands] as const)).toBe(after),
);
