import { expect, it } from 'vitest';
import { parseHtml } from '#blog/content/tree.ts';
import { storedHtml } from '../html/conform.ts';
import { missingFrom, wordsIn } from '../html/words.ts';
import { formula, link } from '../testing/rows.ts';
import { postFields } from './fields.ts';
import { textOf } from './import.ts';
import { createVault } from './obsidian-vault.ts';

const table = (cell: string) =>
  `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>`;
const quote = (title: string, more = '') => `<blockquote><p><strong>${title}</strong></p>${more}</blockquote>`;
const code = (text: string, language = '') =>
  `<pre><code${language && ` class="language-${language}"`}>${text}</code></pre>`;

/** Markdown of a note in a vault, with the HTML that it becomes. */
const TEXTS = [
  ['a link', 'a [[Other note]].', '<p>a <a href="/Other%20note.md">Other note</a>.</p>'],
  ['a link in other letters, with words', '[[other NOTE|the *other*]]', link('/Other%20note.md', 'the <em>other</em>')],
  ['a link by a path', '[[sub/Deep]]', link('/sub/Deep.md', 'sub/Deep')],
  ['a link with an ending', '[[Deep.md]]', link('/sub/Deep.md', 'Deep.md')],
  ['a link from another folder', '[[../sub/Deep|d]]', link('/sub/Deep.md', 'd')],
  ['a link to a heading', '[[Deep#Its Part]]', link('/sub/Deep.md#h-its-part', 'Deep &gt; Its Part')],
  ['a link to a block', '[[Deep#^a1b2c3]]', link('/sub/Deep.md', 'Deep')],
  ['a link to an own heading', '[[#Its Part]]', link('#its-part', 'Its Part')],
  ['a link in a table', '| a |\n|---|\n| [[Deep\\|b]] |', table('<a href="/sub/Deep.md">b</a>')],
  ['words in place of a missing note', '[[1. No_note]] [[Gone|*b*]] ![[Gone]]', '<p>1. No_note <em>b</em> Gone</p>'],
  [
    'Markdown that looks like a link',
    '[[1]](/x) [[2]] \\[[Deep]]\n\n[2]: /y',
    '<p><a href="/x">[1]</a> [<a href="/y">2</a>] [[Deep]]</p>',
  ],
  ['an embedded note', 'a\n\n![[Deep#Part]]', `<p>a</p>${link('/sub/Deep.md#h-part', 'Deep &gt; Part')}`],
  ['a comment', 'a %%not `this`%%b', '<p>a b</p>'],
  ['a comment of several lines', 'a\n\n%%\nnot\n\n```\nthis\n```\n[[Gone]]\n%%\n\nb', '<p>a</p><p>b</p>'],
  ['a comment of HTML', 'a\n\n%%\n<div>not</div>\n%%\n\nb', '<p>a</p><p>b</p>'],
  ['a comment in a quote', '> a %%not\n> this%% b', '<blockquote><p>a\nb</p></blockquote>'],
  ['a comment that does not end', 'a %%b', '<p>a %%b</p>'],
  ['percents', '100%% or 50%%', '<p>100%% or 50%%</p>'],
  ['a mark', '==a `==` [[Deep|b]]== c', '<p><mark>a <code>==</code> <a href="/sub/Deep.md">b</a></mark> c</p>'],
  ['no mark', 'a == b, c==d\n\nTitle\n====', '<p>a == b, c==d</p><h1>Title</h1>'],
  ['block ids', 'a ^a1b2c3\n\n- b ^my-id\n- 2 ^2\n\n^list-id', '<p>a</p><ul><li>b</li><li>2 ^2</li></ul>'],
  ['the id of a table', '| a |\n|---|\n| b |\n^t-id', table('b')],
  ['a callout', '> [!note] A *b*\n> c', quote('A <em>b</em>', '<p>c</p>')],
  ['a callout without title', '> [!NOTE]\n> - a', quote('Note', '<ul><li>a</li></ul>')],
  ['a foldable callout', '- a\n  > [!tip|x]- [[#T]]', `<ul><li><p>a</p>${quote('<a href="#t">T</a>')}</li></ul>`],
  ['callouts in each other', '> [!a] B\n> > [!c]+ D\n> > e', quote('B', quote('D', '<p>e</p>'))],
  ['no callout', '> a\n> [!note] b', '<blockquote><p>a\n[!note] b</p></blockquote>'],
  ['tags', '#tag ends', '<p>#tag ends</p>'],
  ['code', '`[[D]] %%a%% ==b==`\n\n    [[D]] ^a1b2c3', `<p><code>[[D]] %%a%% ==b==</code></p>${code('[[D]] ^a1b2c3')}`],
  ['a block of code', '```md\n> [!note] a\n%%b%% [[Deep]]\n```', code('&gt; [!note] a\n%%b%% [[Deep]]', 'md')],
  ['formulas', '$x_{[[a]]} %%y%% ==z==$ ==b==', `<p>${formula('x_{[[a]]} %%y%% ==z==')} <mark>b</mark></p>`],
  [
    'addresses',
    'https://a.test/?q==b==c [d](/e==f==)',
    '<p><a href="https://a.test/?q==b==c">https://a.test/?q==b==c</a> <a href="/e==f==">d</a></p>',
  ],
] as const;

const NAMES = ['.obsidian/app.json', 'A.md', 'Other note.md', 'sub/Deep.md'];
const vault = createVault({ path: '', isFolder: false, names: NAMES });

it.each(TEXTS)('a note of Obsidian has %s', (_, body, content) => {
  const source = { path: 'A.md', text: body, body, fields: postFields({}, 'A.md') };
  const { tree, words = [], title } = textOf(source, undefined, vault);
  const html = storedHtml(tree);
  expect(html.replace(/(?<=>)\n+|\n+(?=<)/g, '')).toBe(content);
  expect(missingFrom(words, wordsIn(parseHtml(html)))).toEqual([]);
  expect(title).toBe('A');
});
