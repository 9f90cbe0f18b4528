/**
 * The texts of the product in the language that the site speaks, and the words for errors. The catalogues, one a
 * language, are `messages/*.ts`; a site speaks one language, chosen when the process starts (`SITE_LANGUAGE`). In the
 * browser it is that of the page.
 */

import { de } from './messages/de.ts';
import * as en from './messages/en.ts';

/** The texts of one language. */
export type Catalogue = { readonly [Group in keyof typeof en]: Texts<(typeof en)[Group]> };
type Texts<Group> = {
  readonly [Key in keyof Group]: Group[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

const CATALOGUES = { en, de } as const satisfies Record<string, Catalogue>;
export type Language = keyof typeof CATALOGUES;
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

/** The texts of a language, whichever is spoken. */
export const catalogueOf = (language: Language): Catalogue => CATALOGUES[language];

const isLanguage = (name: string): name is Language => Object.hasOwn(CATALOGUES, name);

const texts = Object.fromEntries(Object.entries(en).map(([group, words]) => [group, { ...words }])) as Catalogue;
export const {
  formText,
  shellText,
  footerText,
  homeText,
  authorText,
  archiveText,
  searchText,
  loginText,
  signupText,
  listText,
  postFormText,
  draftText,
  sessionText,
  pictureText,
  postText,
  contentText,
  routeErrorText,
  errorText,
} = texts;

let spoken: Language = 'en';

/** Makes `language` the one that every text is in from now on. Texts that were read before stay what they were. */
export function speak(language: Language): void {
  spoken = language;
  for (const [group, words] of Object.entries(CATALOGUES[language]))
    Object.assign(texts[group as keyof Catalogue], words);
}

/** The language spoken: for `lang`, dates and numbers. */
export const language = (): Language => spoken;

// Before any module of the page reads a text.
if (typeof document !== 'undefined' && isLanguage(document.documentElement.lang)) speak(document.documentElement.lang);

/** How a list or view puts an error before the reader: "Error: {message}". */
export const errorLine = (message: string): string => errorText.line(message);

/** Words for a failed login. */
export function loginMessage(error: unknown): string {
  const { code, type } = faultOf(error);
  // Other 401s (a missing second factor, say) are no matter of credentials and speak for themselves.
  if (code === 401 && (type === '' || type === 'user_invalid_credentials')) return errorText.badCredentials;
  if (code === 429) return errorText.tooManyAttempts;
  return ownWords(error, errorText.loginFailed);
}

/** Words for a failed sign-up. */
export function signupMessage(error: unknown): string {
  const { code } = faultOf(error);
  if (code === 429) return errorText.tooManyRequests;
  if (code === 409) return errorText.emailTaken;
  if (code === 400) return errorText.badFormat;
  return ownWords(error, errorText.signupFailed);
}

/** Words for a post that could not be created or updated. */
export function postMessage(error: unknown): string {
  const { code, type } = faultOf(error);
  if (code === 409 && !type.endsWith('_update_conflict')) return errorText.slugTaken;
  return ownWords(error, errorText.submitFailed);
}

export const listMessage = (error: unknown): string => ownWords(error, errorText.listFailed);
export const viewMessage = (error: unknown): string => ownWords(error, errorText.viewFailed);
/** The spec has one text for a failed delete, whatever the backend said. */
export function deleteMessage(error: unknown): string {
  if (faultOf(error).code === 401) return listText.sessionEnded;
  return isUnreachable(error) ? errorText.unreachable : errorText.deleteFailed;
}
/** Words for a status that could not be changed from a list. */
export const statusMessage = (error: unknown): string =>
  faultOf(error).code === 401 ? listText.sessionEnded : ownWords(error, errorText.statusFailed);
export const uploadMessage = (error: unknown): string => ownWords(error, errorText.uploadFailed);

/** An error of the backend as its SDK throws it, recognised by shape so that no SDK is needed here. */
export interface Fault {
  /** HTTP status; 0 when the request got no answer. */
  readonly code: number;
  /** Machine-readable kind, e.g. `document_already_exists`; empty when there is none. */
  readonly type: string;
  readonly message: string;
}

export function faultOf(error: unknown): Fault {
  const { code, type, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    code: typeof code === 'number' ? code : 0,
    type: typeof type === 'string' ? type : '',
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : '',
  };
}

/** True when the request never got an answer, or only a proxy's. Every engine words its network error differently. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = faultOf(error);
  if (code === 0)
    return /^(failed to fetch|networkerror|load failed|fetch failed|network request failed)/i.test(message);
  return code === 502 || code === 503 || code === 504;
}

function ownWords(error: unknown, otherwise: string): string {
  if (isUnreachable(error)) return errorText.unreachable;
  const { code, message } = faultOf(error);
  // The SDK takes whatever a proxy sends for the backend's words.
  if (/^\s*</.test(message)) return code === 413 ? errorText.tooLarge : errorText.errorPage(code);
  return message || otherwise;
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
