/** Which language a text is in, told from its letters and its smallest words: for browsers, that hyphenate, quote and read aloud by it. */

import { languageOfScript } from './detect-script.ts';

/** BCP 47, and whether it runs from right to left. */
export interface TextLanguage {
  readonly code: string;
  readonly isRightToLeft: boolean;
}

/** Characters that are looked at: a text does not change its language after them. */
const LOOKED_AT = 4000;
/** Words of a language among all, and its lead over the next one, from which on it is believed. */
const SHARE = 0.12;
const LEAD = 1.5;
const FEWEST_WORDS = 12;

/** By the word: the languages that have it. */
const SMALLEST: ReadonlyMap<string, readonly string[]> = byWord(
  Object.entries({
    en: 'the of and to in is that it for was with you on are this have not be we our they from but what which their',
    de: 'der die und das ist ein eine nicht zu den mit von auf sich für dem im es auch wir ich sie wird sind wie',
    fr: 'le la les et des est un une du dans que qui pas pour sur au avec ce il nous vous sont par plus ne aux cette',
    es: 'el la los las de y que en un una es por con para no se del al como más pero lo su son está muy',
    it: 'il di che è la per un una non sono con del della dei gli le da si anche come più nel alla ma questo',
    pt: 'o os as de que e do da em um uma para não com por mais dos das como mas ao é se na no são',
    nl: 'de het een en van is dat niet op te zijn met voor die aan ook er maar om wij bij naar wordt deze',
    sv: 'och att det som en är på av för med den inte till har jag vi om ett de så från kan eller',
    da: 'og at det som en er på af for med den ikke til har jeg vi om et de så fra kan eller',
    pl: 'i w na nie się z że do to jest o jak ale za co od po dla są tym przez który które',
    cs: 'a se na je že v s z do to jako ale o pro si by jsem které který nebo jsou bylo už',
    tr: 've bir bu için ile de da çok olarak ne daha gibi olan kadar ama var en sonra değil mi ben',
  }),
);

function byWord(languages: readonly (readonly [code: string, words: string])[]): Map<string, string[]> {
  const codes = new Map<string, string[]>();
  for (const [code, words] of languages) {
    for (const word of new Set(words.split(' '))) codes.set(word, [...(codes.get(word) ?? []), code]);
  }
  return codes;
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'ur', 'he']);

/** Undefined where it cannot be told: few words, or a language that is not known here. */
export function textLanguageOf(text: string): TextLanguage | undefined {
  const head = text.slice(0, LOOKED_AT);
  const code = languageOfScript(head) ?? bySmallestWords(head);
  return code === undefined ? undefined : { code, isRightToLeft: RIGHT_TO_LEFT.has(code) };
}

function bySmallestWords(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < FEWEST_WORDS) return undefined;
  const found = new Map<string, number>();
  for (const word of words) {
    for (const code of SMALLEST.get(word) ?? []) found.set(code, (found.get(code) ?? 0) + 1);
  }
  const [first, second = ['', 0]] = [...found].sort(([, a], [, b]) => b - a);
  return first && first[1] > SHARE * words.length && first[1] > second[1] * LEAD ? first[0] : undefined;
}
