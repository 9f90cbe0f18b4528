/**
 * The language of the site and the texts of its catalogues. English is the source: strings of `*.ts` beside this file.
 * German is data in `de/*.json`, which only German pages load in the browser (`server/astro/bundle-aliases.ts`).
 * A string with `{name}` becomes a function of its values, a pair `one` and `other` one that chooses by `{count}`.
 */

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Text> = Readonly<Record<Names<Text>, string | number>>;
type Plural = { readonly one: string; readonly other: string };

/** What code reads of a catalogue: strings, and functions where the English text has placeholders. */
export type Texts<Catalogue> = Catalogue extends Plural
  ? (values: Values<Catalogue['one' | 'other']> & { readonly count: number }) => string
  : Catalogue extends string
    ? [Names<Catalogue>] extends [never]
      ? string
      : (values: Values<Catalogue>) => string
    : { readonly [Key in keyof Catalogue]: Texts<Catalogue[Key]> };

/** The same keys with other strings. Placeholders are compared by `catalogues.test.ts`. */
type Translation<Catalogue> = Catalogue extends string
  ? string
  : Catalogue extends readonly string[]
    ? readonly string[]
    : { readonly [Key in keyof Catalogue]: Translation<Catalogue[Key]> };

let currentLanguage: Language = 'en';
const translations: (() => void)[] = [];

/** The language spoken: for `lang`, dates and numbers. */
export const language = (): Language => currentLanguage;

/** Makes `chosen` the language of every text from now on. Texts that were read before stay what they were. */
export function setLanguage(chosen: Language): void {
  currentLanguage = chosen;
  for (const translate of translations) translate();
}

/** The texts of a catalogue in the language spoken whenever they are read. */
export function textsOf<const English extends object>(en: English, de: Translation<English>): Texts<English> {
  const texts = {};
  const translate = () => readInto(texts, language() === 'de' ? de : en);
  translate();
  translations.push(translate);
  return texts as Texts<English>;
}

function readInto(texts: Record<string, unknown>, catalogue: object): object {
  for (const [key, text] of Object.entries(catalogue)) {
    if (typeof text === 'string') texts[key] = text.includes('{') ? (values: object) => fill(text, values) : text;
    else if (Array.isArray(text)) texts[key] = text;
    else if ('other' in text)
      texts[key] = (values: { count: number }) => fill(values.count === 1 ? text.one : text.other, values);
    else texts[key] = readInto((texts[key] ?? {}) as Record<string, unknown>, text);
  }
  return texts;
}

function fill(text: string, values: object): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values as Record<string, string | number>)[name] ?? '';
    return value.toLocaleString(LOCALES[language()], { maximumFractionDigits: 1 });
  });
}

// Before any module of the page reads a text.
if (typeof document !== 'undefined' && document.documentElement.lang === 'de') currentLanguage = 'de';
