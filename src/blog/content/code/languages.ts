export interface TextLanguage {
  readonly code: string;
  readonly isRightToLeft: boolean;
}

export const POST_LANGUAGES: readonly string[] =
  'ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk ms nb nl nn pl pt pt-BR ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh zh-Hant'.split(
    ' ',
  );

const RIGHT_TO_LEFT = /^(?:ar|fa|he|ps|sd|ug|ur|yi)(?:-|$)/;
const CODE = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/;

export function chosenLanguage(code: string | undefined): TextLanguage | undefined {
  return code && CODE.test(code) ? { code, isRightToLeft: RIGHT_TO_LEFT.test(code.toLowerCase()) } : undefined;
}

/** Returns a language's capitalised name in `inLanguage` (`de` in German: `Deutsch`), or an unknown code unchanged. */
export function languageName(code: string, inLanguage: string): string {
  const name = new Intl.DisplayNames(inLanguage, { type: 'language', fallback: 'code' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1);
}
