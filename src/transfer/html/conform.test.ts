import { expect, it } from 'vitest';
import { parseHtml } from '#blog/content/tree.ts';
import { conform, storedHtml } from './conform.ts';

const stored = (html: string) => {
  const tree = parseHtml(html);
  conform(tree);
  return storedHtml(tree);
};

it.each([
  ['a link', '<ul><a href="https://x.test/">a</a></ul>', '<ul><li><a href="https://x.test/">a</a></li></ul>'],
  ['words', '<ol>a <em>b</em><li>c</li></ol>', '<ol><li>a <em>b</em></li><li>c</li></ol>'],
  ['a list', '<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['a paragraph', '<ul><p>a</p><li>b</li></ul>', '<ul><li><p>a</p></li><li>b</li></ul>'],
])('puts %s that stands in a list itself into an item', (_, html, expected) => {
  expect(stored(html)).toBe(expected);
});

it.each([
  [
    'the caption of the picture above it',
    '<p><img src="/a.png" alt="a"></p>\n<figcaption><a name="x"></a>b</figcaption>',
    '<figure><img src="/a.png" alt="a"><figcaption>b</figcaption></figure>',
  ],
  ['a paragraph below words', '<p>a</p><figcaption>b</figcaption>', '<p>a</p><p>b</p>'],
  ['a line of a cell', '<table><tr><td>a<figcaption>b</figcaption></td></tr></table>', '<td>a<br>b</td>'],
  ['a paragraph of an item', '<ul><li>a<figcaption>b</figcaption></li></ul>', '<li><p>a</p><p>b</p></li>'],
])('makes of a caption outside of a figure %s', (_, html, expected) => {
  expect(stored(html)).toContain(expected);
});

it('puts no link into a link: one around what is embedded is named in the report', () => {
  const tree = parseHtml('<p><a href="https://x.test/"><iframe src="https://v.test/1"></iframe></a></p>');
  expect(conform(tree)).toEqual([
    'what was embedded is a link now: https://v.test/1',
    'a link around it was taken off: https://x.test/',
  ]);
  expect(storedHtml(tree)).toBe('<p><a href="https://v.test/1">v.test</a></p>');
});
