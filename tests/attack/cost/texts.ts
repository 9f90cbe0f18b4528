/** Texts at the limit of a post's content, each expensive in a different way. */
import { CONTENT_MAX, TITLE_MAX } from '#blog/forms/forms.ts';

const WORDS =
  'Ink spreads along the fibres until it meets the size that the maker brushed on and the page keeps what was written '.split(
    ' ',
  );

export function prose(length: number, seed = 0): string {
  const words: string[] = [];
  for (let size = 0, i = seed; size < length; i++) {
    const word = i % 13 === 0 ? `word${(i * 7919) % 5000}` : (WORDS[(i * 31) % WORDS.length] as string);
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ');
}

export function article(length: number, seed: number): string {
  const part = (i: number) => `<h2>Part ${i}</h2><p>${prose(900, seed + i)}</p><ul><li>${prose(80, i)}</li></ul>`;
  return Array.from({ length: Math.max(1, Math.round(length / 1050)) }, (_, i) => part(i)).join('');
}

function filled(piece: string, end = ''): string {
  return piece.repeat(Math.floor((CONTENT_MAX - end.length) / piece.length)) + end;
}

/** Texts by the property that makes them expensive. */
export const LARGEST_TEXTS: Readonly<Record<string, string>> = {
  prose: article(CONTENT_MAX - 20_000, 1),
  'one word': 'x'.repeat(CONTENT_MAX),
  paragraphs: filled('<p>a</p>'),
  'nested quotes': `${'<blockquote>'.repeat(35_000)}a${'</blockquote>'.repeat(35_000)}`,
  'open elements': filled('<b><i>'),
  code: `<pre><code class="language-js">${'const a = { b: [1, "c"] }; // d\n'.repeat(30_000)}</code></pre>`,
  'code blocks': filled('<pre><code class="language-js">let a = 1;</code></pre>'),
  headings: filled('<h2>a</h2>'),
  table: `<table>${'<tr><td>a</td></tr>'.repeat(50_000)}</table>`,
  links: filled('<a href="http://a.b">a</a>'),
  pictures: filled('<img src="/v1/a" alt="">'),
  attributes: `<p ${'a="b" '.repeat(160_000)}>a</p>`,
  entities: filled('&amp;'),
};

export const LONGEST_TITLE = '𝕎'.repeat(TITLE_MAX);
