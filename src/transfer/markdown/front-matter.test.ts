import { expect, it } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { readDocument } from './front-matter.ts';

it.each([
  ['YAML', '---\ntitle: A\n---\nb\n', { title: 'A' }, 'b\n'],
  ['TOML', '+++\ntitle = "A"\n[extra]\nx = 1\n+++\n\nb', { title: 'A', extra: { x: 1 } }, '\nb'],
  ['JSON of Hugo', '{\n  "title": "A",\n  "a": {\n    "x": 1\n  }\n}\n\ntext', { title: 'A', a: { x: 1 } }, '\ntext'],
  ['a shortcode and no JSON', '{{< a >}}\n}\ntext', {}, '{{< a >}}\n}\ntext'],
  ['nothing', '---\n---\nb', {}, 'b'],
  ['Windows lines behind a byte-order mark', '\uFEFF---\r\ntitle: A\r\n---\r\nb', { title: 'A' }, 'b'],
  ['a rule in the text', 'a\n\n---\n\nb', {}, 'a\n\n---\n\nb'],
  ['a rule at the top', '---\n\na rule at the top', {}, '---\n\na rule at the top'],
])('reads front matter of %s', (_, text, fields, body) => expect(readDocument(text)).toEqual({ fields, body }));

it.each([
  ['---\ntitle: [a\n---\n', 'the YAML front matter cannot be read: '],
  ['---\n- a\n---\n', 'the YAML front matter is not a list of fields'],
  ['+++\ntitle = \n+++\n', 'the TOML front matter cannot be read: '],
  ['+++\ntitle = "a"\n\ntext', 'no closing line “+++”'],
  ['{\n  "title": A\n}\ntext', 'the JSON front matter cannot be read: '],
])('names the reason why %j cannot be read', (text, reason) => {
  expect(() => readDocument(text)).toThrow(OperatorError);
  expect(() => readDocument(text)).toThrow(reason);
});
