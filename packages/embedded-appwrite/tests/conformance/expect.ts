import { expect } from 'vitest';
import { HttpResponse } from './http.ts';

export interface Refusal {
  readonly code: number;
  /** Absent if the contract specifies no type. */
  readonly type?: string;
  readonly message?: string | RegExp;
}

/** Returns the error that an attempt must fail with. Its type and message are compared only if given. */
export const error = (code: number, type?: string, message?: string | RegExp): Refusal => ({
  code,
  ...(type && { type }),
  ...(message && { message }),
});

/** Awaits all attempts (raw responses or SDK calls) and expects each to fail with one of the errors in `by`. */
export async function refused(by: Refusal | readonly Refusal[], ...attempts: readonly unknown[]): Promise<void> {
  const allowed: readonly Refusal[] = 'code' in by ? [by] : by;
  for (const [index, attempt] of (await Promise.allSettled(attempts)).entries()) {
    const seen = attempt.status === 'rejected' ? exceptionOf(attempt.reason) : answerOf(attempt.value, index);
    const match = allowed.find(({ code, type }) => code === seen.code && (type === undefined || type === seen.type));
    if (!match) expect(seen, `attempt ${index + 1}`).toMatchObject(allowed[0] as Refusal);
    if (match?.message) expect(seen.message).toEqual(textual(match.message));
  }
}

const textual = (message: string | RegExp): unknown =>
  typeof message === 'string' ? message : expect.stringMatching(message);

type Seen = Record<'type' | 'message', string> & { code: number };

function answerOf(value: unknown, index: number): Seen {
  if (!(value instanceof HttpResponse)) throw new Error(`Attempt ${index + 1}, a call of an SDK, succeeded.`);
  if (value.status < 400) throw new Error(`${value.request} answered ${value.status}: ${value.text.slice(0, 200)}`);
  const { code, type, message } = value.json<Seen>();
  expect(code, `error code of ${value.request}`).toBe(value.status);
  return { code, type, message };
}

function exceptionOf(error: unknown): Seen {
  if (!(error instanceof Error) || error.name !== 'AppwriteException') throw error;
  const { code, type, message } = error as Error & Seen;
  return { code, type, message };
}

/** Matches a date. Contract 1.1: dates have milliseconds and `+00:00`, never `Z`. */
export const DATE: unknown = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/);

/** Matches a UTC date as in Appwrite's database. Appwrite returns dates in this format just after writing them. */
const DATABASE_DATE = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/;

/** Returns the Unix time in ms of a date from a write's response. Fails if it is neither `DATE` nor `DATABASE_DATE`. */
export function justWritten(date: string): number {
  if (DATABASE_DATE.test(date)) return Date.parse(`${date.replace(' ', 'T')}Z`);
  expect(date).toEqual(DATE);
  return Date.parse(date);
}

/** Leaves the message unchecked, because Appwrite's message differs from case to case. */
export const UNAUTHORIZED = error(401, 'user_unauthorized');
export const MISSING_SCOPE = error(401, 'general_unauthorized_scope');
export const NO_ACCOUNT = { ...MISSING_SCOPE, message: 'User (role: guests) missing scopes (["account"])' };
const NOT_HIS = 'The current user is not authorized to perform the requested action.';
export const NOT_AUTHORIZED = { ...UNAUTHORIZED, message: NOT_HIS };
export const FOREIGN_ROLE = error(401, 'user_unauthorized', /^Permissions must be one of: \(any, /);
export const WRONG_PASSWORD = error(401, 'user_invalid_credentials');
export const BAD_TOKEN = error(401, 'user_invalid_token', 'Invalid token passed in the request.');
export const BLOCKED = error(403, 'user_blocked', 'The current user has been blocked.');
export const NO_USER = error(404, 'user_not_found', 'User with the requested ID could not be found.');
export const NO_DOCUMENT = error(404, 'document_not_found');
export const NO_FILE = error(404, 'storage_file_not_found');
export const INVALID = error(400, 'general_argument_invalid');
export const UNREGISTERED =
  'Invalid URI. Register your new client (evil.test) as a new Web platform on your project console dashboard';
const LATER = 'Rate limit for the current endpoint has been exceeded. Please try again after some time.';
export const LIMITED = error(429, 'general_rate_limit_exceeded', LATER);

/** Returns the error 400 general_argument_invalid for this parameter, with the validator's text if given. */
export function invalid(parameter: string, text?: string | RegExp): Refusal {
  const prefix = `Invalid \`${parameter}\` param: `;
  return { ...INVALID, message: typeof text === 'string' ? prefix + text : (text ?? new RegExp(`^${prefix}.`)) };
}

export const absent = (name: string): Refusal => ({ ...INVALID, message: `Param "${name}" is not optional.` });
