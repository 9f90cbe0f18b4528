import { expect } from 'vitest';
import { picture } from '../../../tests/support/importing.ts';
import { OBSIDIAN } from './obsidian.ts';
import { bytes, each, LONGEST_MS, link, type Rows, TOO_SLOW } from './rows.ts';

const matter = (fields: string, body = 'text') => `---\n${fields}\n---\n\n${body}\n`;
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="red"/></svg>';
const WIDE = '<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="10"><path d="M0 0h9v9z"/></svg>';

const FROM = [
  ...['md-to.md', '@/md-to.md', '/old/two/', 'https://old.test/old/two'].map((from) => [from, '/post/2'] as const),
  ...([
    ['./md-to.md#part', '/post/2#h-part'],
    ['https://old.test/x', 'https://old.test/x'],
    ['gone.md', ''],
  ] as const),
];

/** Pictures at the beginning of a text, and whether each becomes the featured picture. */
const LEADS = [
  ['wide enough and of its shape', 960, 640, '', true],
  ['too narrow', 959, 641, '', false],
  ['too high', 960, 820, '', false],
  ['too flat', 1200, 500, '', false],
  ['behind other words', 1200, 800, 'First. ', false],
] as const;

const SLOW_TEXTS = [
  ['items in each other', `${'- '.repeat(20_000)}x`],
  ['runs of backticks', Array.from({ length: 1600 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['tags that do not end', '<div '.repeat(60_000)],
  ['links that do not end', '[a]('.repeat(60_000)],
  ['references that do not end', '[a][b'.repeat(60_000)],
] as const;

export const MARKDOWN: Rows = {
  'links posts to each other, whatever way they were linked': [
    { 'md-from.md': FROM.map(([to]) => `[a](${to})`).join('\n\n'), 'md-to.md': matter('aliases: [/old/two]') },
    [
      {
        content: FROM.map(([, to]) => (to ? link(to, 'a') : '<p>a</p>')).join(''),
        notes: 'removed a link, because its target was not found: gone.md',
      },
      { content: '<p>text</p>', address: '/old/two/' },
    ],
    { oldSite: 'https://old.test' },
  ],
  'keeps title, date and status': [
    { 'kept.md': matter('title: "A: b"\ndate: 2020-01-02T03:04:05Z\ndraft: true') },
    {
      ...{ title: 'A: b', status: 'inactive', createdAt: '2020-01-02T03:04:05.000+00:00' },
      permissions: expect.not.arrayContaining(['read("any")']),
    },
  ],
  'takes the first heading, which then leaves the text, or the file’s name for a missing title': [
    { 'b.md': '# From *heading*\n\ntext', 'plain-name.md': 'text\n\n# A' },
    [{ title: 'From heading', content: '<p>text</p>' }, { title: 'plain-name' }],
  ],
  'counts lost words, with the line of the first': [
    { 'lost.md': matter('title: T', 'One two.\n\n<p>a<title>three</p>\n\nfour &amp; *five*') },
    { losses: ['3 words, from line 7 on: three four five'] },
  ],
  'counts no word as lost that a footnote follows without space': [
    { 'note.md': matter('title: T', 'Version 1.77[^a] of it.\n\n[^a]: A note.') },
    { content: expect.stringContaining('Version 1.77<sup>'), losses: undefined },
  ],
  'takes no parts of pages': [
    { '_includes/part.md': 'A part.', '_posts/2020-01-02-includes.md': 'A post.' },
    [
      { path: '_includes/part.md', outcome: 'skipped', reason: 'it is part of a template, not a post' },
      { id: 'includes', content: '<p>A post.</p>' },
    ],
  ],
  'names a translation and its original': [
    { 'tr/index.md': 'English', 'tr/index.zh.md': 'other', 'b.io.md': 'a name' },
    [
      { path: 'b.io.md', id: 'b.io' },
      { path: 'tr/index.md', id: 'tr', noNote: 'translation' },
      { path: 'tr/index.zh.md', id: 'tr-zh', notes: 'the original tr/index.md' },
    ],
  ],
  'reads Eleventy’s files of data for a folder’s posts, the nearest first': [
    {
      'posts/posts.json': '{"tags":["posts","ink"],"lang":"de","permalink":"/blog/{{ page.fileSlug }}/"}',
      'posts/posts.11tydata.json': '{"lang":"fr"}',
      'posts/2020-01-02-one.md': matter('title: One\ntags: [paper]'),
      'posts/old/two.md': matter('title: Two\nlang: en', '[one](/blog/one/)'),
      'posts/old/two.json': '{"description":"About two"}',
      'other/three.md': matter('title: Three'),
    },
    [
      { title: 'Three', tags: undefined },
      { title: 'One', tags: ['ink', 'paper'], language: 'fr' },
      { title: 'Two', tags: ['ink'], language: 'en', excerpt: 'About two', content: link('/post/2', 'one') },
    ],
  ],
  'knows the address that a post of Eleventy names by its file, without a file of data': [
    { '2020-01-02-one.md': matter('permalink: /blog/{{ page.fileSlug }}/'), 'two.md': '[one](/blog/one/)' },
    ['<p>text</p>', link('/post/1', 'one')],
  ],
  'makes nothing public that had no page in Eleventy or was in no list': [
    {
      'b.md': matter('title: B\npermalink: false'),
      'hidden/a.md': matter('title: A'),
      'hidden/hidden.json': '{"eleventyExcludeFromCollections":true}',
    },
    [{ status: 'inactive' }, { status: 'inactive' }],
  ],
  'runs no program of Eleventy, and ignores data that are no table': [
    { 'posts/posts.11tydata.js': 'throw Error("run")', 'posts/posts.json': '[{"title":"No"}]', 'posts/a.md': 'text' },
    [{ outcome: 'skipped', reason: expect.stringContaining('not run') }, { title: 'a' }],
  ],
  'keeps the description of a drawing that is too large, and names a text of too many levels': [
    { 'deep.md': `${'<div>'.repeat(20_000)}x`, 'wide.md': '![a wide one](wide.svg)', 'wide.svg': WIDE },
    [
      { outcome: 'failed', reason: 'it is nested too deeply' },
      { content: '<p>a wide one</p>', notes: 'replaced with its description: wide.svg' },
    ],
  ],
  'converts pictures, sets their sizes and names those that are gone or unreadable': [
    {
      'p/index.md': matter(
        'title: P',
        '![d](d.svg) <img src="w.webp" width="20px"> [large](w.webp) ![gone](gone.png) ![text](text.png)',
      ),
      'p/d.svg': DRAWING,
      'p/w.webp': picture(40, 20),
      'p/text.png': 'just words',
    },
    {
      content:
        '<p><img src="picture 1" alt="d" width="60" height="30"> <img src="picture 2" width="20" height="10"> <a href="picture 2">large</a> gone text</p>',
      featuredImage: '',
      notes: ['replaced with its description: gone.png', 'replaced with its description: text.png'],
    },
  ],
  ...each(LEADS, ([what, width, height, before, leads]) => [
    `${leads ? 'makes' : 'does not make'} a picture at the beginning the featured one: ${what}`,
    { 'lead/a.png': picture(width, height), [`lead/of-${height}.md`]: `${before}![a](a.png)\n\nText.` },
    leads
      ? { content: '<p>Text.</p>', featuredImage: 'picture 1' }
      : { content: expect.stringContaining('<img src="picture 1"'), featuredImage: '' },
  ]),
  'takes a link around a missing picture off, unless it is described': [
    { 'r.md': 'a [![](gone.png)](https://x.test/) b [![red](gone.png)](https://x.test/)' },
    '<p>a  b <a href="https://x.test/">red</a></p>',
  ],
  'reads no picture outside of the folder': [
    { 'r.md': '![secret](../../../../../etc/hostname) ![x](%2e%2e/%2e%2e/secret.png)' },
    { content: '<p>secret x</p>', notes: ['etc/hostname', 'secret.png'] },
  ],
  'reports a byte that is not UTF-8 at its own post': [
    { 'byte-a.md': bytes('First\n\ncaf\xe9 beta'), 'byte-b.md': '# Whole\n\ntext' },
    [
      { content: '<p>First</p><p>caf\ufffd beta</p>', losses: ['line 3: not valid UTF-8, replaced with'] },
      '<p>text</p>',
    ],
  ],
  'takes no picture and no text of another encoding': [
    {
      'a.md': Buffer.from([0x89, 0x50, ...Array(60).fill(0), 0xff, 0xfe]),
      'b.md': bytes('\xe4\xf6\xfc \xdf '.repeat(10)),
      'c.md': Buffer.from('a text of some words without a mark', 'utf16le'),
      'd.md': Buffer.from('\ufeffwith a mark', 'utf16le'),
    },
    [
      ...Array.from({ length: 3 }, () => ({ outcome: 'failed', reason: expect.stringContaining('is not UTF-8 text') })),
      '<p>with a mark</p>',
    ],
  ],
  ...each(SLOW_TEXTS, ([what, text]) => [
    `names a text of ${what} that takes too long, and takes the others`,
    { [`1 ${what}.md`]: 'Words.', [`2 ${what}.md`]: text, [`3 ${what}.md`]: 'Words.' },
    ['<p>Words.</p>', TOO_SLOW, '<p>Words.</p>'],
    { longestMs: LONGEST_MS },
  ]),
  ...OBSIDIAN,
};
