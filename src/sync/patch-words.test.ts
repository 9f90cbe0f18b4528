import { expect, it } from 'vitest';
import { patchWords } from './rewrite-markdown.ts';

it.each([
  [
    'a word',
    'Some *old*\nwords here.',
    '<p>Some <em>old</em>\nwords here.</p>',
    '<p>Some <em>new</em>\nwords here.</p>',
    'Some *new*\nwords here.',
  ],
  [
    'a word within lines of the editor',
    'Some\nold words.',
    '<p>Some old words.</p>',
    '<p>Some old names.</p>',
    'Some\nold names.',
  ],
  [
    'an added word',
    '- a very\n  fine day',
    '<ul><li>a very fine day</li></ul>',
    '<ul><li>a very good fine day</li></ul>',
    '- a very\n  good fine day',
  ],
  ['a removed word', '# One two three', '<h1>One two three</h1>', '<h1>One three</h1>', '# One three'],
  [
    'a mark',
    'Say [this](/x), now',
    '<p>Say <a href="/x">this</a>, now</p>',
    '<p>Say <a href="/x">this</a>; now</p>',
    'Say [this](/x); now',
  ],
  ['the last mark', 'An end.', '<p>An end.</p>', '<p>An end!</p>', 'An end!'],
  [
    'the first word',
    '> Once upon',
    '<blockquote><p>Once upon</p></blockquote>',
    '<blockquote><p>Twice upon</p></blockquote>',
    '> Twice upon',
  ],
  [
    'a word of code',
    '```html\n<meta name="ink">\n```',
    '<pre><code>&lt;meta name="ink"&gt;</code></pre>',
    '<pre><code>&lt;meta name="inks"&gt;</code></pre>',
    '```html\n<meta name="inks">\n```',
  ],
  ['words beside an entity', 'a & b', '<p>a &amp; b</p>', '<p>a &amp; c</p>', 'a & c'],
  [
    'two words apart',
    'one *two* three four',
    '<p>one <em>two</em> three four</p>',
    '<p>1 <em>two</em> three 4</p>',
    '1 *two* three 4',
  ],
])('changes %s and nothing else', (_, markdown, before, after, expected) =>
  expect(patchWords(markdown, before, after)).toBe(expected),
);

it('changes the words of a link, and not its address', () => {
  const linked = (words: string) => `<p>See <a href="/ink">${words}</a>.</p>`;
  const patched = (markdown: string, definitions?: string) =>
    patchWords(markdown, linked('ink'), linked('inks'), definitions);
  expect(patched('See [ink](/ink).')).toBe('See [inks](/ink).');
  expect(patched('See [ink][ink].', '[ink]: /ink')).toBe('See [inks][ink].');
  expect(patched('See [ink].', '[Ink]: /ink')).toBe('See [inks][ink].');
  expect(patched('See [ink][].', '[ink]: /ink')).toBe('See [inks][ink].');
  expect(patched('See [ink].')).toBe('See [inks].');
  expect(patched('See [[ink]].')).toBe('See [[ink|inks]].');
  expect(patched('See [[Pens|ink]].')).toBe('See [[Pens|inks]].');
  // These brackets are text, as in TOML, not a link.
  expect(patchWords('[[ink]]', '<p>[[ink]]</p>', '<p>[[inks]]</p>')).toBe('[[inks]]');
});

it('leaves other elements to the writer', () => {
  expect(patchWords('a b', '<p>a b</p>', '<p>a <em>b</em></p>')).toBeUndefined();
  expect(patchWords('a *b* c', '<p>a <em>b</em> c</p>', '<p>a b c</p>')).toBeUndefined();
});
