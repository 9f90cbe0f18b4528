/** The languages that a writer may choose for a post, by their BCP 47 codes. */

import type { TextLanguage } from './language.ts';

export const POST_LANGUAGES: readonly string[] =
  'ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk ms nb nl nn pl pt pt-BR ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh zh-Hant'.split(
    ' ',
  );

const RIGHT_TO_LEFT = /^(?:ar|fa|he|ps|sd|ug|ur|yi)(?:-|$)/;
const CODE = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/;

/** The language that a post names; undefined where it names none, or nothing that is a code. */
export function chosenLanguage(code: string | undefined): TextLanguage | undefined {
  return code && CODE.test(code) ? { code, isRightToLeft: RIGHT_TO_LEFT.test(code.toLowerCase()) } : undefined;
}

/** The name of a language in another, such as `Deutsch` of `de` in German; the code where it has no name. */
export function languageName(code: string, inLanguage: string): string {
  const name = new Intl.DisplayNames(inLanguage, { type: 'language', fallback: 'code' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1);
}
