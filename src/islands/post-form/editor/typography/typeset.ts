/** Replaces the typed character, and `removed` characters before it, with `inserted`. Undo restores `typed`. */
export interface Typeset {
  readonly removed: number;
  readonly inserted: string;
  readonly typed: string;
}

export const TYPED_SIGNS = `"'-.`;
const OPENS = /(?:^|[\s\ufffc([{/\u2010-\u2015¿¡-])$/;
/** Matches a URL, a link target, a tag or a table row that is being typed. */
const LITERAL = /(?:https?:\/\/|www\.)\S*$|\]\([^\s)]*$|<[a-z/!][^<>]*$|^\s*\|/i;
/** Matches a single hyphen after text. Hyphens at the start of a block may become a thematic break instead. */
const SECOND_HYPHEN = /\S.*[^-]-$|\S-$/;

/** Returns the replacement for `typed` after `before`, or undefined to keep `typed`. `language` is a BCP 47 code. */
export function typeset(before: string, typed: string, language: string): Typeset | undefined {
  if (LITERAL.test(before) || before.split('`').length % 2 === 0) return undefined;
  if (typed === '.') return /(?:^|[^.])\.\.$/.test(before) ? { removed: 2, inserted: '…', typed: '...' } : undefined;
  if (typed === '-') {
    if (before.endsWith('–')) return { removed: 1, inserted: '—', typed: '---' };
    return SECOND_HYPHEN.test(before) && !/--$/.test(before) ? { removed: 1, inserted: '–', typed: '--' } : undefined;
  }
  const [open, close, innerOpen, innerClose] = quotationMarks(language);
  const opens = OPENS.test(before) || before.endsWith(open) || (before.endsWith(innerOpen) && innerOpen !== innerClose);
  if (typed === '"') return { removed: 0, inserted: opens ? open : close, typed };
  if (opens) return { removed: 0, inserted: innerOpen, typed };
  const isInside = before.lastIndexOf(innerOpen) > before.lastIndexOf(innerClose);
  return { removed: 0, inserted: isInside ? innerClose : '’', typed };
}

const ENGLISH: Marks = ['“', '”', '‘', '’'];
/** Outer and inner quotation marks by language. French has a narrow no-break space inside its marks. */
const BY_MARKS: readonly (readonly [marks: Marks, languages: string])[] = [
  [ENGLISH, 'en pt-BR nl tr ko zh id ms hi ga cy'],
  [['„', '“', '‚', '‘'], 'de cs sk sl sq is lt bg mk et ka hr sr'],
  [['„', '”', '‚', '’'], 'pl hu ro'],
  [['«\u202f', '\u202f»', '‹\u202f', '\u202f›'], 'fr'],
  [['«', '»', '‹', '›'], 'de-CH fr-CH it-CH'],
  [['«', '»', '“', '”'], 'es it ca eu gl pt el hy'],
  [['«', '»', '„', '“'], 'ru uk lv'],
  [['«', '»', '‘', '’'], 'nb nn no'],
  [['”', '”', '’', '’'], 'sv fi he'],
  [['“', '”', '‘', '’'], 'da'],
];

type Marks = readonly [open: string, close: string, innerOpen: string, innerClose: string];
const MARKS: ReadonlyMap<string, Marks> = new Map(
  BY_MARKS.flatMap(([marks, languages]) => languages.split(' ').map((code) => [code.toLowerCase(), marks] as const)),
);

function quotationMarks(language: string): Marks {
  const code = language.toLowerCase();
  return MARKS.get(code) ?? MARKS.get(code.replace(/-.*$/, '')) ?? ENGLISH;
}
