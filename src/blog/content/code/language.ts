/** Detects a text's language, for hyphenation and screen readers, from its script and its most common words. */

import { languageOfScript } from '../detect-script.ts';
import { chosenLanguage, type TextLanguage } from './languages.ts';

const LOOKED_AT = 4000;
/**
 * Common words identify a language only if at least `FEWEST_DIFFERENT` of them occur and they make up more than `SHARE`
 * of the text.
 */
const SHARE = 0.12;
const FEWEST_DIFFERENT = 3;
/**
 * The detected language must also beat every other language: words that only it has must occur at least `FEWEST_OWN`
 * times, and `LEAD` times as often as words that only the other language has.
 */
const FEWEST_OWN = 2;
const LEAD = 3;
const FEWEST_WORDS = 12;
/** Maximum count per word in a short text: the repeated `a` in `a desk, a chair, a nap` is weak evidence. */
const COUNTED = 2;

const SMALLEST: ReadonlyMap<string, readonly string[]> = byWord(
  Object.entries({
    en: 'the of and to in is that it for was with you on are this have not be we our they from but what which their a i my me do so he she his her had has at by as or if an no all there can will one more some then than when who how out up about',
    de: 'der die und das ist ein eine nicht zu den mit von auf sich für dem im es auch wir ich sie wird sind wie war man aber noch am an',
    fr: 'le la les et des est un une du dans que qui pas pour sur au avec ce il nous vous sont par plus ne aux cette je de a ont mais on',
    es: 'el la los las de y que en un una es por con para no se del al como más pero lo su son está muy me a o si ya',
    it: 'il di che è la per un una non sono con del della dei gli le da si anche come più nel alla ma questo ho e i a mi',
    pt: 'o os as de que e do da em um uma para não com por mais dos das como mas ao é se na no são à a me já',
    nl: 'de het een en van is dat niet op te zijn met voor die aan ook er maar om wij bij naar wordt deze ik in was',
    sv: 'och att det som en är på av för med den inte till har jag vi om ett de så från kan eller var i men',
    da: 'og at det som en er på af for med den ikke til har jeg vi om et de så fra kan eller var i men ved der blev mig sig nu efter været meget hvor hvad',
    nb: 'og det som en er på av for med den ikke til har jeg vi om et de så fra kan eller var i men ved å ble meg seg nå etter vært mye hvor hva',
    fi: 'ja on ei että se oli mutta kun niin ovat joka kuin tai mitä hän minä olen jos vain myös',
    pl: 'i w na nie się z że do to jest o jak ale za co od po dla są tym przez który które a',
    cs: 'a se na je že v s z do to jako ale o pro si by jsem které který nebo jsou bylo už jsme byl k ve',
    sk: 'a sa na je že v s z do to ako ale o pre si by som ktoré ktorý alebo sú bolo už sme bol k vo aj',
    hr: 'i u na je se za da to su od s ne koji koja što kao ali bio bila nije sam o po iz',
    hu: 'a az és hogy nem egy is van de volt meg csak ez mint már ha vagy',
    ro: 'și de la în nu o un pe cu că este sunt din mai care ce a fost să dar pentru',
    ca: 'el la els les de i que en un una és per amb no es del al com més però són a va ha hi',
    id: 'yang dan di itu ini untuk dengan tidak dari saya kami pada ada ke bisa akan adalah juga',
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

/** Returns the language of `text`; undefined if it has too few words or its language is unknown. */
export function textLanguageOf(text: string): TextLanguage | undefined {
  const head = text.slice(0, LOOKED_AT);
  return chosenLanguage(languageOfScript(head) ?? bySmallestWords(head));
}

function bySmallestWords(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < FEWEST_WORDS) return undefined;
  const most = Math.max(COUNTED, Math.round(words.length / 20));
  const counts = new Map<string, number>();
  for (const word of words) if (SMALLEST.has(word)) counts.set(word, Math.min(most, (counts.get(word) ?? 0) + 1));
  const found = new Map<string, Map<string, number>>();
  for (const [word, count] of counts) {
    for (const code of SMALLEST.get(word) ?? []) found.set(code, (found.get(code) ?? new Map()).set(word, count));
  }
  const [first, ...others] = [...found].sort(([, a], [, b]) => sumOf(b) - sumOf(a));
  if (!first) return undefined;
  const [code, own] = first;
  const isReliable =
    sumOf(own) > SHARE * words.length &&
    own.size >= FEWEST_DIFFERENT &&
    others.every(([, other]) => sumOf(without(own, other)) >= Math.max(FEWEST_OWN, LEAD * sumOf(without(other, own))));
  return isReliable ? code : undefined;
}

const sumOf = (words: ReadonlyMap<string, number>): number =>
  [...words.values()].reduce((sum, count) => sum + count, 0);

const without = (words: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...words].filter(([word]) => !others.has(word)));
