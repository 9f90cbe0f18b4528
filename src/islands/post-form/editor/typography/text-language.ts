/** The language that typed signs go by where the post names none. */

import type { EditorState } from '@milkdown/kit/prose/state';
import { language as siteLanguage } from '#blog/messages/language.ts';

/** Characters that tell a text's language. */
const SAMPLE = 4000;

let guess: typeof import('#blog/content/code/language.ts').textLanguageOf | undefined;

/** Loads the words that tell languages apart: call it when the writer begins. Never fails. */
export async function loadGuess(): Promise<void> {
  guess ??= await import('#blog/content/code/language.ts').then(
    ({ textLanguageOf }) => textLanguageOf,
    () => undefined,
  );
}

/** Returns the BCP 47 code of the language that the text's page will name; the site's own until `loadGuess` has loaded. */
export const languageIn = ({ doc }: EditorState): string =>
  guess?.(doc.textBetween(0, Math.min(doc.content.size, SAMPLE), '\n'))?.code ?? siteLanguage();
