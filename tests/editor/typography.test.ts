import { describe, expect, test } from 'vitest';
import { openEditor } from './hands.ts';

const { show, shown, keys, compose, testTyping } = await openEditor();

const GERMAN = 'Die Tinte ist schwarz und das Papier ist weiß, aber es war nicht immer so, und wir wissen es auch.';

/** typeset.test.ts tests the replacements themselves; this file tests typing in the editor, and undo. */
test.each([
  ['of the post’s language', '', 'de', `"Er sagt: 'Ja'" --- so`, '„Er sagt: ‚Ja‘“ — so'],
  ['of the text’s own language', GERMAN, '', ' "Ja"', ' „Ja“'],
  ['of the text’s marks', '', 'en', '{Control+b}"a"{Control+b}', '<strong>“a”</strong>'],
])('typed signs become those %s', async (_which, words, language, line, expected) => {
  await show(words && `<p>${words}</p>`, language);
  await keys(line);
  expect(await shown()).toBe(`<p>${words}${expected}</p>`);
});

describe('one step gives back what was typed', () => {
  const cases = [
    ['a "', 'a “', 'a "'],
    ['a --', 'a –', 'a --'],
    ['a ---', 'a —', 'a ---'],
    ['a...', 'a…', 'a...'],
    [`it's`, 'it’s', 'it’'],
  ] as const;
  testTyping(
    '%s',
    cases.flatMap(([line, typeset, typed]) => [
      [line, '', line, `<p>${typeset}</p>`],
      [`${line}, by Backspace`, '', `${line}{Backspace}`, `<p>${typed}</p>`],
      [`${line}, by Control+Z`, '', `${line}{Control+z}`, `<p>${typed}</p>`],
    ]),
  );
  testTyping('%s', [['and what is typed behind it stays so', '', 'a "{Control+z}b{Backspace}c', '<p>a "c</p>']]);
});

describe('they stay as typed', () => {
  const table = '<table><thead><tr><th>"a"</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>';
  testTyping('%s', [
    ['in a block of code', '<pre><code>x</code></pre>', '"--..."', '<pre><code>x"--..."</code></pre>'],
    ['in code within a line', '', '{Control+e}"a"--{Control+e}', '<p><code>"a"--</code></p>'],
    ['between backticks', '', '`"a" -- b`', '<p><code>"a" -- b</code></p>'],
    ['in a table that is typed', '', '| "a" |{Enter}| --- |{Enter}b', table],
  ]);

  test('in what an input method composes', async () => {
    await show('', 'en');
    await compose(['"', '"か'], '「か」');
    await keys('"a"');
    expect(await shown()).toMatch(/^<p>「か」.a”<\/p>$/);
  });
});
