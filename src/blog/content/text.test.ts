import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sanitise } from './sanitise.ts';
import { excerpt, textOf, textOfSanitised } from './text.ts';
import { countWords, readingMinutes } from './words.ts';

it('textOf gives a line a block and leaves out what no reader sees', () => {
  const lists = '<script>x</script><ul><li>g</li><li>h</li></ul>';
  const html = `<h2>A &amp; B</h2><p>c<strong>d</strong> &lt;e&gt;<br>f</p>${lists}`;
  expect(textOf(html)).toBe('A & B\ncd <e>\nf\ng\nh');
});

it.each([
  '<p>n <a href="#fnref-1" data-footnote-backref>↩</a></p>',
  '<p>n <a href="#fnref-1-2" data-footnote-backref>↩<sup>2</sup></a></p>',
  '<p>n<sup><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup></p>',
])('textOf leaves out the links of footnotes: %s', (html) => expect(textOf(html)).toBe('n'));

it('an excerpt keeps a text that fits, and cuts a longer one at a word', () => {
  expect(excerpt('<p>one two</p>', 7)).toBe('one two');
  expect(excerpt('<p>one two, three</p>', 12)).toBe('one two…');
});

it('an excerpt of a long text is that of its beginning, however much markup comes first', () => {
  const picture = '<p><img src="/a" alt="x"></p>'.repeat(1000);
  expect(excerpt(`${picture}<p>one two, three</p>${picture}`, 12)).toBe('one two…');
  expect(excerpt(`<p>one two, three</p>${picture}`, 12)).toBe('one two…');
});

it('an excerpt is the same of what was sanitised before, wherever its beginning ends', () => {
  for (let length = 1; length < 60; length++) {
    const html = `<h2>What</h2><p>${'a <a href="https://example.com/a/b">link</a> &amp; <em>more</em>, '.repeat(200)}${'x'.repeat(length)}</p>`;
    expect(excerpt(sanitise(html), length * 3, textOfSanitised)).toBe(excerpt(html, length * 3));
  }
});

it('an excerpt leaves out headings, unless there is nothing else', () => {
  expect(excerpt('<h2>What happened</h2><p>It rained.</p><h3>And</h3><p>then</p>', 99)).toBe('It rained. then');
  expect(excerpt('<h2>What happened</h2>', 99)).toBe('What happened');
});

it('an excerpt cuts a text without spaces between characters', () => {
  expect(excerpt('字'.repeat(50), 10)).toBe(`${'字'.repeat(9)}…`);
  expect(excerpt('🦀'.repeat(50), 10)).toBe(`${'🦀'.repeat(4)}…`);
});

it('counts the words of a Latin text as the segmenter does', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
  const piece = fc.constantFrom(...'aZéß_09.,;:\'’‘"-–—·… \n!?€ɏ×÷ʼ()«²¸', 'don’t', '3.14', 'e.g.');
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 12 }), (text) => {
      expect(countWords(text)).toBe(Array.from(segmenter.segment(text)).filter((part) => part.isWordLike).length);
    }),
    { numRuns: 3000 },
  );
});

it('counts words, also where no spaces are set', () => {
  expect(countWords("Don't stop: 3 words—or five.")).toBe(6);
  expect(countWords('私は学生です')).toBeGreaterThan(2);
  expect([0, 230, 460].map(readingMinutes)).toEqual([1, 1, 2]);
});
