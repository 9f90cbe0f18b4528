import { expect, it } from 'vitest';
import { TYPED_SIGNS, typeset } from './typeset.ts';

function typed(line: string, language: string): string {
  let text = '';
  for (const letter of line) {
    const found = TYPED_SIGNS.includes(letter) ? typeset(text, letter, language) : undefined;
    text = found ? text.slice(0, text.length - found.removed) + found.inserted : text + letter;
  }
  return text;
}

it.each([
  ['en', `"It's 'here'," she said`, '“It’s ‘here’,” she said'],
  ['en', `("so")`, '(“so”)'],
  ['en', `"'Twice'"`, '“‘Twice’”'],
  ['en-GB', `"a"`, '“a”'],
  ['de', `"Er sagt: 'Geht.'"`, '„Er sagt: ‚Geht.‘“'],
  ['de', `"So geht's" heute`, '„So geht’s“ heute'],
  ['de-CH', `"a"`, '«a»'],
  ['fr', `"l'été" et "toi"`, '«\u202fl’été\u202f» et «\u202ftoi\u202f»'],
  ['es', `"a 'b' c"`, '«a “b” c»'],
  ['ru', `"a 'b' c"`, '«a „b“ c»'],
  ['pl', `"a 'b' c"`, '„a ‚b’ c”'],
  ['sv', `"a"`, '”a”'],
  ['xx', `"a"`, '“a”'],
])('sets the quotation marks of %s in %s', (language, line, text) => expect(typed(line, language)).toBe(text));

it.each([
  ['a -- b --- c', 'a – b — c'],
  ['1914--1918', '1914–1918'],
  ['and so on...', 'and so on…'],
  ['....', '….'],
  ['`"a"` "b"', '`"a"` “b”'],
])('sets dashes, ellipses and what follows code in %s', (line, text) => expect(typed(line, 'en')).toBe(text));

it.each([
  ...['---', '--', '| - | -- | "a" |', '|---|:--|', '`"a" -- ...', "https://e.com/it's--here...", '[a](b--c'],
  ...['<a href="x" b--c', '<!-- a', 'well-known', 'a.b..c'],
])('leaves %s as it is', (line) => expect(typed(line, 'en')).toBe(line));
