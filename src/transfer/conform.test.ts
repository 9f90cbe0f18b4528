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
