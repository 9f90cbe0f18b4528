/**
 * Generates documents of the stored set (docs/content.md) in the HTML that the editor itself writes, so it has to
 * return them unchanged. `content.ts` generates anything that the sanitiser accepts.
 */
import fc from 'fast-check';

export const wrap =
  (tag: string, written = '') =>
  (inside: string) =>
    `<${tag}${written}>${inside}</${tag}>`;
const join = (parts: readonly string[]) => parts.join('');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (text: string) => escaped(text).replaceAll('"', '&quot;');
/** Whitespace, which separates words in HTML, and characters that HTML text cannot contain. */
const UNSUITABLE = /[\s\p{Cc}\p{Cs}]/gu;

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('ink', 'paper', 'a', 'margin,', 'press.') },
  fc.constantFrom('שלום', 'العربية', 'فارسی‌ها', '漢字', 'かな混じり', '한국어', 'ไทย', 'ẞ', 'e\u0301', 'İ'),
  fc.constantFrom('👩‍👩‍👧‍👦', '🏳️‍🌈', '🖋️', '𝔘', '\u00a0', '\u00ad', '\u200f', '\u2028', '…', '—'),
  // Characters that have a meaning in Markdown or HTML.
  fc.constantFrom('1.', '#', '---', '*', '**x**', '`', '|', '[^1]', '&', '&amp;', '<b>', '"', "'", '\\', '/'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).map((text) => text.replace(UNSUITABLE, '') || 'x'),
);

const MARKS = ['sup', 'sub', 'mark', 'u', 'em', 'strong', 'code', 'a', 'del'] as const;
type Marks = readonly (readonly [tag: string, attributes: string])[];

const address = fc.constantFrom('/x', '#part', 'https://example.com/?a=1&b=2', 'mailto:a@example.com', '../y?q="z"');
const attribute = (name: string, value: string | number | undefined) =>
  value === undefined ? '' : ` ${name}="${quoted(String(value))}"`;
const attributes = (given: Readonly<Record<string, string | number | undefined>>) =>
  join(Object.entries(given).map(([name, value]) => attribute(name, value)));
const title = fc.option(fc.constantFrom('Title', 'עברית', 'a "b" & <c>', '👍'), { nil: undefined, freq: 2 });

const link = fc.record({ href: address, title }).map(attributes);
const languageClass = fc.constantFrom('', '', ' class="language-js"', ' class="language-c++"');

const marks: fc.Arbitrary<Marks> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...MARKS], { minLength: 1, maxLength: 4 })),
    link,
    languageClass,
  )
  .map(([names, href, language]) =>
    names.map((name) => [name, { a: href, code: language }[name as 'a' | 'code'] ?? '']),
  );

const size = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
const picture = fc
  .record({
    src: fc.constantFrom('/a.png', 'https://example.com/b.jpg?w=1&h=2'),
    alt: fc.option(fc.oneof(fc.constant(''), word), { nil: undefined, freq: 8 }),
    title,
    width: size,
    height: size,
  })
  .map((attrs) => `<img${attributes(attrs)}>`);

type Run = { readonly marks: Marks; readonly html: string; readonly words: boolean; readonly space: Space };
type Space = 'before' | 'behind' | 'none';

const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => escaped(all.join(' ')));
const run: fc.Arbitrary<Run> = fc
  .record({
    marks,
    what: fc.oneof(
      { weight: 6, arbitrary: words.map((html) => ({ html, words: true })) },
      fc.constant({ html: '<br>', words: false }),
      picture.map((html) => ({ html, words: false })),
    ),
    space: fc.constantFrom('before', 'behind', 'none'),
  })
  .map(({ marks: given, what, space }) => ({ marks: what.html === '<br>' ? [] : given, ...what, space }));

/** Adds at most one space between two runs of words, inside one of the runs. */
function spaced(runs: readonly Run[]): Run[] {
  return runs.map((each, index) => {
    const [before, after] = [runs[index - 1], runs[index + 1]];
    const lead = each.words && before?.words && before.space !== 'behind' && each.space === 'before' ? ' ' : '';
    const trail = each.words && after?.words && each.space === 'behind' ? ' ' : '';
    return { ...each, html: lead + each.html + trail };
  });
}

/** Writes runs with their marks. The mark that spans the most runs is outermost, so that it is written only once. */
function written([first, ...rest]: readonly Run[]): string {
  if (!first) return '';
  const reach = ([tag, attributes]: Marks[number]) => {
    const end = rest.findIndex(({ marks }) => !marks.some((mark) => mark[0] === tag && mark[1] === attributes));
    return 1 + (end < 0 ? rest.length : end);
  };
  const [mark] = first.marks.toSorted((one, other) => reach(other) - reach(one));
  if (!mark) return first.html + written(rest);
  const end = reach(mark);
  const inside = [first, ...rest]
    .slice(0, end)
    .map((each) => ({ ...each, marks: each.marks.filter(([tag]) => tag !== mark[0]) }));
  return wrap(...mark)(written(inside)) + written(rest.slice(end - 1));
}

/** Adds a word after a trailing line break, which would otherwise have no visible effect. */
const inline = fc.array(run, { minLength: 1, maxLength: 5 }).map((runs) => {
  const word: Run[] = runs.at(-1)?.html === '<br>' ? [{ marks: [], html: 'x', words: true, space: 'none' }] : [];
  return written(spaced([...runs, ...word]));
});

const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([level, inside]) => wrap(`h${level}`)(inside));
const code = fc
  .tuple(languageClass, fc.array(fc.oneof(words, fc.constantFrom('', '\tx', '  y', '\n')), { maxLength: 4 }))
  .map(([language, lines]) => `<pre><code${language}>${lines.join('\n')}</code></pre>`);
const figure = fc
  .tuple(picture, fc.option(inline))
  .map(([shown, caption]) => wrap('figure')(shown + (caption === null ? '' : wrap('figcaption')(caption))));
const paragraph = inline.map(wrap('p'));

const { blocks } = fc.letrec<{ block: string; blocks: string; list: string }>((tie) => {
  const inner = fc.oneof(
    { maxDepth: 3 },
    figure,
    code,
    heading,
    fc.constant('<hr>'),
    tie('list'),
    tie('blocks').map(wrap('blockquote')),
  );
  /** Generates tight list items (words, then blocks other than paragraphs) and loose ones (paragraphs among blocks). */
  const itemContent = fc.oneof(
    { weight: 3, arbitrary: inline },
    fc.constant(''),
    fc.tuple(inline, tie('list')).map(join),
    fc.tuple(inline, inner).map(join),
    fc.tuple(paragraph, fc.array(fc.oneof(paragraph, inner), { maxLength: 2 }).map(join)).map(join),
  );
  const checked = fc.constantFrom('', '', '', ' data-checked="true"', ' data-checked="false"');
  const items = fc
    .array(fc.tuple(checked, itemContent), { minLength: 1, maxLength: 4 })
    .map((all) => join(all.map(([state, inside]) => wrap('li', state)(inside))));
  const start = fc.oneof(
    fc.constant(''),
    fc.integer({ min: -3, max: 3000 }).map((from) => (from === 1 ? '' : ` start="${from}"`)),
  );
  const cellContent = fc.oneof(
    { weight: 4, arbitrary: inline },
    fc.constant(''),
    inner,
    fc.array(fc.oneof(paragraph, inner), { minLength: 2, maxLength: 3 }).map(join),
  );
  return {
    list: fc.oneof(
      items.map(wrap('ul')),
      fc.tuple(start, items).map(([from, inside]) => wrap('ol', from)(inside)),
    ),
    block: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'blocks' },
      { weight: 3, arbitrary: paragraph },
      fc.constant('<p></p>'),
      heading,
      code,
      figure,
      fc.constant('<hr>'),
      tie('list'),
      tie('blocks').map(wrap('blockquote')),
      tables(cellContent),
    ),
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map(join),
  };
});

type Grid = Readonly<Record<'columns' | 'head' | 'body', number>> &
  Readonly<Record<'alignments' | 'cells', readonly string[]>> & {
    readonly headerColumn: boolean;
    readonly spans: readonly (readonly [colspan: number, rowspan: number])[];
  };

/** Generates tables with or without a head, a header column and alignment; spans stay within the head or the body. */
function tables(cell: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const span = fc.constantFrom(1, 1, 1, 2, 3);
  const alignment = fc.constantFrom('', '', ' align="left"', ' align="center"', ' align="right"');
  return fc
    .record({
      columns: fc.integer({ min: 1, max: 4 }),
      head: fc.constantFrom(0, 1, 1, 2),
      body: fc.integer({ min: 0, max: 3 }),
      headerColumn: fc.boolean(),
      alignments: fc.array(alignment, { minLength: 4, maxLength: 4 }),
      spans: fc.array(fc.tuple(span, span), { minLength: 1, maxLength: 12 }),
      cells: fc.array(cell, { minLength: 1, maxLength: 12 }),
    })
    .map((grid) => {
      const body = grid.head + grid.body === 0 ? 1 : grid.body;
      return wrap('table')(section({ ...grid, body }, 'thead') + section({ ...grid, body }, 'tbody'));
    });
}

function section(grid: Grid, tag: 'thead' | 'tbody'): string {
  const { columns, head, body, headerColumn, alignments, spans, cells } = grid;
  const rows = tag === 'thead' ? head : body;
  if (rows === 0) return '';
  const taken = Array.from({ length: rows }, () => new Array<boolean>(columns).fill(false));
  let count = 0;
  const html = taken.map((row, y) => {
    let inside = '';
    for (let x = 0; x < columns; x += 1) {
      if (row[x]) continue;
      const [wide = 1, high = 1] = spans[count % spans.length] ?? [];
      let colspan = 1;
      while (colspan < wide && x + colspan < columns && !row[x + colspan]) colspan += 1;
      const rowspan = Math.min(high, rows - y);
      for (let i = 0; i < rowspan; i += 1) taken[y + i]?.fill(true, x, x + colspan);
      const name = tag === 'thead' || (headerColumn && x === 0) ? 'th' : 'td';
      const spanned = attributes({
        colspan: colspan > 1 ? colspan : undefined,
        rowspan: rowspan > 1 ? rowspan : undefined,
      });
      inside += wrap(name, `${alignments[x]}${spanned}`)(cells[count % cells.length] ?? '');
      count += 1;
    }
    return wrap('tr')(inside);
  });
  return wrap(tag)(join(html));
}

const noted = fc.array(fc.tuple(inline, fc.boolean(), inline), { minLength: 1, maxLength: 3 }).map((all) => {
  const reference = (id: string, note: number) =>
    `<sup><a href="#fn-${note}" id="${id}" data-footnote-ref="">${note}</a></sup>`;
  const back = (id: string) => ` <a href="#${id}" data-footnote-backref="">↩</a>`;
  const text = all.map(([before, twice], index) => {
    const note = index + 1;
    const again = twice ? ` x${reference(`fnref-${note}-2`, note)}` : '';
    return wrap('p')(`x ${before}.${reference(`fnref-${note}`, note)}${again}`);
  });
  const notes = all.map(([, twice, inside], index) => {
    const note = index + 1;
    const words = wrap('p')(`${inside}.${back(`fnref-${note}`)}${twice ? back(`fnref-${note}-2`) : ''}`);
    return wrap('li', ` id="fn-${note}"`)(words);
  });
  return { text: join(text), notes: wrap('section', ' data-footnotes=""')(wrap('ol')(join(notes))) };
});

/** Generates complete documents. They never end in empty paragraphs, which the editor drops. */
export const anyDocument: fc.Arbitrary<string> = fc
  .tuple(fc.array(blocks, { minLength: 1, maxLength: 3 }).map(join), fc.option(noted, { freq: 5 }))
  .map(([text, notes]) => (notes === null ? text.replace(/(<p><\/p>)+$/, '<hr>') : text + notes.text + notes.notes));
