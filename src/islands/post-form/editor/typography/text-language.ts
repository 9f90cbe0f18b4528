/** The language for typographic signs if the post names none. */

import type { EditorState } from '@milkdown/kit/prose/state';
import { language as siteLanguage } from '#blog/messages/language.ts';

/** Number of characters used to detect the language. */
const SAMPLE = 4000;

let guess: typeof import('#blog/content/code/language.ts').textLanguageOf | undefined;

/** Loads the word lists for language detection; call it when the writer starts typing. Never fails. */
export async function loadGuess(): Promise<void> {
  guess ??= await import('#blog/content/code/language.ts').then(
    ({ textLanguageOf }) => textLanguageOf,
    () => undefined,
  );
}

/**
 * Returns the BCP 47 code of the language that the text's page will declare; the site's own until `loadGuess` has
 * finished.
 */
export const languageIn = ({ doc }: EditorState): string =>
  guess?.(doc.textBetween(0, Math.min(doc.content.size, SAMPLE), '\n'))?.code ?? siteLanguage();
