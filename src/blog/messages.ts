/**
 * The texts of the product in the language that the site speaks, and the words for errors (`errors.ts` says what they are). The catalogues, one a
 * language, are `messages/*.ts`; a site speaks one language, chosen when the process starts (`SITE_LANGUAGE`). In the
 * browser it is that of the page.
 */

import { faultOf, isForbidden, isMarkup, isSignedOut, isUnreachable, kindOf } from './errors.ts';
import { de } from './messages/de.ts';
import * as en from './messages/en.ts';

/** The texts of one language: the shape of the English ones, in words of its own. */
export type Texts<Groups> = {
  readonly [Group in keyof Groups]: {
    readonly [Key in keyof Groups[Group]]: Groups[Group][Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : string;
  };
};
export type Catalogue = Texts<typeof en>;

const CATALOGUES = { en, de } as const satisfies Record<string, Catalogue>;
export type Language = keyof typeof CATALOGUES;
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

/** The texts of a language. */
export const catalogueOf = (language: Language): Catalogue => CATALOGUES[language];

const isLanguage = (name: string): name is Language => Object.hasOwn(CATALOGUES, name);

let currentLanguage: Language = 'en';
const translations: ((language: Language) => void)[] = [];

/** Texts of which there is a catalogue for each language: what is read of them is in the one spoken then. */
export function textsOf<Groups extends object>(catalogues: Readonly<Record<Language, Groups>>): Groups {
  const texts = Object.fromEntries(
    Object.entries(catalogues[currentLanguage]).map(([group, words]) => [group, { ...words }]),
  ) as Groups;
  translations.push((language) => {
    for (const group of Object.keys(texts) as (keyof Groups)[])
      Object.assign(texts[group] as object, catalogues[language][group]);
  });
  return texts;
}

export const {
  formText,
  shellText,
  homeText,
  loginText,
  listText,
  postFormText,
  draftText,
  sessionText,
  pictureText,
  postText,
  errorText,
} = textsOf<Catalogue>(CATALOGUES);

/** Makes `language` the one that every text is in from now on. Texts that were read before stay what they were. */
export function setLanguage(language: Language): void {
  currentLanguage = language;
  for (const translate of translations) translate(language);
}

/** The language spoken: for `lang`, dates and numbers. */
export const language = (): Language => currentLanguage;

// Before any module of the page reads a text.
if (typeof document !== 'undefined' && isLanguage(document.documentElement.lang))
  setLanguage(document.documentElement.lang);

/** How a list or view puts an error before the reader: "Error: {message}". */
export const errorLine = (message: string): string => errorText.line(message);

/** Words for a failed login. */
export function loginMessage(error: unknown): string {
  const kind = kindOf(error);
  if (kind === 'bad-credentials') return errorText.badCredentials;
  if (kind === 'too-many-requests') return errorText.tooManyAttempts;
  return wordsFor(error, errorText.loginFailed);
}

/** Words for a failed sign-up. */
export function signupMessage(error: unknown): string {
  const kind = kindOf(error);
  if (kind === 'too-many-requests') return errorText.tooManyRequests;
  if (kind === 'taken') return errorText.emailTaken;
  if (kind === 'invalid') return errorText.badFormat;
  return wordsFor(error, errorText.signupFailed);
}

/** Words for a post that could not be created or updated. */
/** The backend was not brought forward since the product has this field. */
const UNKNOWN_ATTRIBUTE = /\bUnknown attribute: "(\w+)"/;

export function postMessage(error: unknown): string {
  const kind = kindOf(error);
  if (kind === 'taken') return errorText.slugTaken;
  if (kind === 'no-room') return errorText.noRoomForText;
  if (isForbidden(error)) return errorText.notMember;
  const [, unknown] = UNKNOWN_ATTRIBUTE.exec(faultOf(error).message) ?? [];
  if (unknown !== undefined) return errorText.notProvisioned(unknown);
  return wordsFor(error, errorText.submitFailed);
}

export const listMessage = (error: unknown): string => wordsFor(error, errorText.listFailed);
export const viewMessage = (error: unknown): string => wordsFor(error, errorText.viewFailed);
/** The spec has one text for a failed delete, whatever the backend said. */
export function deleteMessage(error: unknown): string {
  if (isSignedOut(error)) return listText.sessionEnded;
  return isUnreachable(error) ? errorText.unreachable : errorText.deleteFailed;
}
/** Words for a status that could not be changed from a list. */
export const statusMessage = (error: unknown): string =>
  isSignedOut(error) ? listText.sessionEnded : wordsFor(error, errorText.statusFailed);
export const uploadMessage = (error: unknown): string =>
  isForbidden(error) ? errorText.notMember : wordsFor(error, errorText.uploadFailed);

/** Words for an error wherever it happens: the backend's own, and `otherwise` where it has none. */
export function wordsFor(error: unknown, otherwise: string): string {
  const fault = faultOf(error);
  switch (kindOf(error)) {
    case 'unreachable':
      return errorText.unreachable;
    case 'quota-exceeded':
      return errorText.storageUsed(/\d+/.exec(fault.message)?.[0] ?? '');
    case 'no-room':
      return errorText.noRoom;
    default:
      if (isMarkup(fault)) return fault.code === 413 ? errorText.tooLarge : errorText.errorPage(fault.code);
      return fault.message || otherwise;
  }
}

/** How far an upload is: percent, bytes and, where there are several, chunks (spec 7, "Files"). */
export function progressLine(progress: {
  readonly percent: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly chunks: number;
  readonly totalChunks: number;
}): string {
  const { percent, bytes, totalBytes, chunks, totalChunks } = progress;
  return pictureText.sent(percent, bytes, totalBytes) + (totalChunks > 1 ? pictureText.part(chunks, totalChunks) : '');
}
