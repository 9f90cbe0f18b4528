import { picture } from '../../../tests/support/importing.ts';
import type { Rows } from './rows.ts';

const SETTINGS = { '.obsidian/app.json': '{}' };
const image = (alt: string, size = 9) => `<img src="picture 1" alt="${alt}" width="${size}" height="${size}">`;
const LOSING = '%%\nnot\n\nthis\n%%\n\n> [!note] A\n> b ^b-id\n\n<p>a<title>three</p>';
const matter = (fields: string, body = 'x') => `---\n${fields}\n---\n\n${body}\n`;

export const OBSIDIAN: Rows = {
  'finds the pictures of a vault by their names, and reads widths and captions': [
    {
      ...{ ...SETTINGS, 'files/a/b (1).png': picture() },
      'P1.md': 'a ![[B (1).png]] ![[a/b (1).png|300]] ![[b (1).png|a_b|3x4]] ![c|5](b%20%281%29.png)',
      'P2.md': '- ![[b (1).png\\|c d\\|3]] e',
      'P3.md': 'a ![[gone.png|words stay]]',
    },
    [
      `<p>a ${image('')} ${image('', 300)} <img src="picture 1" alt="a_b" width="3" height="4"> ${image('c', 5)}</p>`,
      `<ul><li>${image('c d', 3).replace('1', '2')} e</li></ul>`,
      { content: '<p>a words stay</p>', notes: 'replaced with its description: gone.png' },
    ],
  ],
  'leads a link to the note with the shortest path, also one of Markdown': [
    {
      ...SETTINGS,
      'S1.md': '[[Twin]] [[b/twin]] [[c/twin]] [d](Twin.md)',
      ...{ 'b/long/Twin.md': 'x', 'b/twin.md': 'y', 'cc/c/Twin.md': 'z' },
    },
    [
      '<p><a href="/post/3">Twin</a> <a href="/post/3">b/twin</a> <a href="/post/4">c/twin</a> <a href="/post/3">d</a></p>',
      ...['<p>x</p>', '<p>y</p>', '<p>z</p>'],
    ],
  ],
  'takes a note of a vault as a draft until it says that it is published': [
    {
      ...SETTINGS,
      'D1.md': 'x',
      'D2.md': matter('publish: true'),
      'D3.md': matter('draft: false'),
      'D4.md': matter('tags: a'),
    },
    [{ status: 'inactive' }, { status: 'active' }, { status: 'active' }, { status: 'inactive' }],
  ],
  'names what an Obsidian link leads to if it is no post': [
    { ...SETTINGS, 'N1.md': '[[Gone note]] ![[N2]] [[c.pdf]]', 'N2.md': 'x', 'c.pdf': 'y' },
    [
      {
        content: '<p>Gone note <a href="/post/2">N2</a> c.pdf</p>',
        notes: [
          'removed a link, because its target was not found: Gone note',
          'replaced an embed with a link: N2.md',
          'a file that is neither a post nor a picture: /c.pdf',
        ],
      },
      '<p>x</p>',
    ],
  ],
  'reads a text with Obsidian’s links outside of a vault, and no other text': [
    { 'O1.md': '[[o2]] ==c== %%d%%', 'O2.md': '==c== %%d%% `[[a]]`\n\n> [!note] e', 'O3.mdx': '[[o2]]' },
    [
      '<p><a href="/post/2">o2</a> <mark>c</mark></p>',
      '<p>==c== %%d%% <code>[[a]]</code></p><blockquote><p>[!note] e</p></blockquote>',
      '<p>[[o2]]</p>',
    ],
  ],
  'counts the words that a note of Obsidian loses, with the line of the first': [
    { ...SETTINGS, 'L1.md': matter('title: T', LOSING) },
    { losses: ['1 word, from line 14 on: three'] },
  ],
  'names a note of Obsidian by its title, its first heading of level 1 or its file': [
    {
      ...SETTINGS,
      'T1.md': matter('permalink: /x/y1'),
      ...{ 'T2.md': '# C\n\nx', 'T3.md': '## Part\n\nx', 'T4.md': matter('title: F') },
    },
    [
      { title: 'T1', id: 'y1' },
      { title: 'C', content: '<p>x</p>' },
      { title: 'T3', content: '<h2>Part</h2><p>x</p>' },
      { title: 'F' },
    ],
  ],
  'reads the tags of a note of Obsidian from a list or a string': [
    { ...SETTINGS, 'G1.md': matter('tags:\n  - one\n  - two/three'), 'G2.md': matter('tags: one, two') },
    [{ tags: ['one', 'two/three'] }, { tags: ['one', 'two'] }],
  ],
};
