export interface QuotationMarks {
  readonly open: string;
  readonly close: string;
  readonly innerOpen: string;
  readonly innerClose: string;
}

/** The four marks, with the languages that use them. French has a narrow no-break space inside its marks. */
const BY_MARKS: readonly (readonly [marks: readonly [string, string, string, string], languages: string])[] = [
  [['“', '”', '‘', '’'], 'en pt-BR nl tr ko zh id ms hi ga cy'],
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

const MARKS: ReadonlyMap<string, QuotationMarks> = new Map(
  BY_MARKS.flatMap(([[open, close, innerOpen, innerClose], languages]) =>
    languages.split(' ').map((language) => [language.toLowerCase(), { open, close, innerOpen, innerClose }] as const),
  ),
);

const ENGLISH: QuotationMarks = { open: '“', close: '”', innerOpen: '‘', innerClose: '’' };

/** Returns the marks of a BCP 47 code; English ones for an unknown language. */
export function quotationMarks(language: string): QuotationMarks {
  const code = language.toLowerCase();
  return MARKS.get(code) ?? MARKS.get(code.replace(/-.*$/, '')) ?? ENGLISH;
}
