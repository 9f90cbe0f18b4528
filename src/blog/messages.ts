import { faultOf, isForbidden, isMarkup, isSignedOut, isUnreachable, kindOf } from './errors.ts';
import de from './messages/de/shared.json' with { type: 'json' };
import { textsOf } from './messages/language.ts';
import { en } from './messages/shared.ts';

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
} = textsOf(en, de);

export const errorLine = (message: string): string => errorText.line({ message });

export function loginMessage(error: unknown): string {
  const kind = kindOf(error);
  if (kind === 'bad-credentials') return errorText.badCredentials;
  if (kind === 'too-many-requests') return errorText.tooManyAttempts;
  return wordsFor(error, errorText.loginFailed);
}

export function signupMessage(error: unknown): string {
  const kind = kindOf(error);
  if (kind === 'too-many-requests') return errorText.tooManyRequests;
  if (kind === 'taken') return errorText.emailTaken;
  if (kind === 'invalid') return errorText.badFormat;
  return wordsFor(error, errorText.signupFailed);
}

/** Matches the error of a backend that lacks a field because it was provisioned by an earlier version. */
const UNKNOWN_ATTRIBUTE = /\bUnknown attribute: "(\w+)"/;

export function postMessage(error: unknown): string {
  const kind = kindOf(error);
  if (kind === 'taken') return errorText.slugTaken;
  if (kind === 'no-room') return errorText.noRoomForText;
  if (isForbidden(error)) return errorText.notMember;
  const [, unknown] = UNKNOWN_ATTRIBUTE.exec(faultOf(error).message) ?? [];
  if (unknown !== undefined) return errorText.notProvisioned({ attribute: unknown });
  return wordsFor(error, errorText.submitFailed);
}

export const listMessage = (error: unknown): string => wordsFor(error, errorText.listFailed);
export const viewMessage = (error: unknown): string => wordsFor(error, errorText.viewFailed);
/** Never returns the backend's message, because the specification prescribes the text for a failed delete. */
export function deleteMessage(error: unknown): string {
  if (isSignedOut(error)) return listText.sessionEnded;
  return isUnreachable(error) ? errorText.unreachable : errorText.deleteFailed;
}
export const statusMessage = (error: unknown): string =>
  isSignedOut(error) ? listText.sessionEnded : wordsFor(error, errorText.statusFailed);
export const uploadMessage = (error: unknown): string =>
  isForbidden(error) ? errorText.notMember : wordsFor(error, errorText.uploadFailed);

/** Returns a message for any error: the site's own, the backend's, or else `otherwise`. */
export function wordsFor(error: unknown, otherwise: string): string {
  const fault = faultOf(error);
  switch (kindOf(error)) {
    case 'unreachable':
      return errorText.unreachable;
    case 'quota-exceeded':
      return errorText.storageUsed({ megabytes: /\d+/.exec(fault.message)?.[0] ?? '' });
    case 'no-room':
      return errorText.noRoom;
    default:
      if (isMarkup(fault)) return fault.code === 413 ? errorText.tooLarge : errorText.errorPage({ status: fault.code });
      return fault.message || otherwise;
  }
}

type Progress = Readonly<Record<'percent' | 'bytes' | 'totalBytes' | 'chunks' | 'totalChunks', number>>;

export function progressLine({ percent, bytes, totalBytes, chunks, totalChunks }: Progress): string {
  const [unit, size] = totalBytes < 1_000_000 ? ['kB', 1000] : ['MB', 1_000_000];
  const rounded = (value: number) => (size === 1000 ? Math.round(value / size) : value / size);
  const sent = pictureText.sent({ percent, done: rounded(bytes), total: rounded(totalBytes), unit });
  return sent + (totalChunks > 1 ? pictureText.part({ part: chunks, parts: totalChunks }) : '');
}
