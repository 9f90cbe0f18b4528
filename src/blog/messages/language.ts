/**
 * The site's language and its catalogues of texts. English is the source: strings in the `*.ts` files beside this one.
 * German is data in `de/*.json`, which only German pages load in the browser (`server/astro/bundle-aliases.ts`). A
 * string with `{name}` becomes a function of its values; a pair of `one` and `other` becomes a function that chooses by
 * `{count}`.
 */

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Text> = Readonly<Record<Names<Text>, string | number>>;
type Plural = { readonly one: string; readonly other: string };

/** The type of a catalogue's texts: strings, and functions for English texts with placeholders. */
export type Texts<Catalogue> = Catalogue extends Plural
  ? (values: Values<Catalogue['one' | 'other']> & { readonly count: number }) => string
  : Catalogue extends string
    ? [Names<Catalogue>] extends [never]
      ? string
      : (values: Values<Catalogue>) => string
    : { readonly [Key in keyof Catalogue]: Texts<Catalogue[Key]> };

type Translation<Catalogue> = Catalogue extends string
  ? string
  : Catalogue extends readonly string[]
    ? readonly string[]
    : { readonly [Key in keyof Catalogue]: Translation<Catalogue[Key]> };

let currentLanguage: Language = 'en';
const translations: (() => void)[] = [];

export const language = (): Language => currentLanguage;

/** Changes the language of all catalogues. Does not change texts that callers have already read. */
export function setLanguage(chosen: Language): void {
  currentLanguage = chosen;
  for (const translate of translations) translate();
}

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

// Sets the language before any module of the page reads a message.
if (typeof document !== 'undefined' && document.documentElement.lang === 'de') currentLanguage = 'de';
