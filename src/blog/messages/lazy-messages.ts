/** Catalogues that are loaded lazily, because few pages need them. */

import { language } from '../messages.ts';

/** The same texts in another language: of the same shape, with words of their own. */
export type Translation<Text> = Text extends (...values: infer Values) => infer Result
  ? (...values: Values) => Translation<Result>
  : Text extends string
    ? string
    : { readonly [Key in keyof Text]: Translation<Text[Key]> };

/** Those of the page's language, chosen once: for what is read in the browser alone, where a page speaks one. */
export const inLanguage = <Texts>(en: Texts, de: Translation<Texts>): Translation<Texts> =>
  language() === 'de' ? de : (en as Translation<Texts>);
