import { expect } from 'vitest';
import { HttpResponse } from './http.ts';

export interface Refusal {
  readonly code: number;
  /** Left out if the contract names no type. */
  readonly type?: string;
  readonly message?: string | RegExp;
}

export interface ErrorBody {
  readonly message: string;
  readonly code: number;
  readonly type: string;
  readonly version: string;
}

/**
 * Expects each attempt, a raw request or an SDK call, to fail with (one of) these errors; runs them at the same time.
 */
export async function refused(
  by: Refusal | readonly Refusal[],
  ...attempts: readonly Promise<unknown>[]
): Promise<void> {
  const allowed: readonly Refusal[] = 'code' in by ? [by] : by;
  for (const [index, attempt] of (await Promise.allSettled(attempts)).entries()) {
    const seen = attempt.status === 'rejected' ? exceptionOf(attempt.reason) : answerOf(attempt.value, index);
    const match = allowed.find(({ code, type }) => code === seen.code && (type === undefined || type === seen.type));
    if (!match) expect(seen, `attempt ${index + 1}`).toMatchObject(allowed[0] as Refusal);
    if (typeof match?.message === 'string') expect(seen.message).toBe(match.message);
    else if (match?.message) expect(seen.message).toMatch(match.message);
  }
}

interface Seen {
  code: number;
  type: string;
  message: string;
}

function answerOf(value: unknown, index: number): Seen {
  if (!(value instanceof HttpResponse)) throw new Error(`Attempt ${index + 1}, a call of an SDK, succeeded.`);
  if (value.status < 400) throw new Error(`${value.request} answered ${value.status}: ${value.text.slice(0, 200)}`);
  const { code, type, message } = value.json<ErrorBody>();
  expect(code, `error code of ${value.request}`).toBe(value.status);
  return { code, type, message };
}

function exceptionOf(error: unknown): Seen {
  if (!(error instanceof Error) || error.name !== 'AppwriteException') throw error;
  const { code, type, message } = error as Error & { code: number; type: string };
  return { code, type, message };
}

/** Contract 1.1: dates have milliseconds and `+00:00`, never `Z`. */
export const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/;

/** A real server returns a date that it has just written in its database's format, in UTC. */
const DATABASE_DATE = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/;

/** Returns the Unix time in milliseconds of a date just written; fails for any other format. */
export function justWritten(date: string): number {
  if (DATABASE_DATE.test(date)) return Date.parse(`${date.replace(' ', 'T')}Z`);
  expect(date).toMatch(DATE);
  return Date.parse(date);
}

export const GUEST_WITHOUT_ACCOUNT: Refusal = {
  code: 401,
  type: 'general_unauthorized_scope',
  message: 'User (role: guests) missing scopes (["account"])',
};
export const NOT_AUTHORIZED: Refusal = {
  code: 401,
  type: 'user_unauthorized',
  message: 'The current user is not authorized to perform the requested action.',
};
/** A real server has a different message for each case. */
export const UNAUTHORIZED: Refusal = { code: 401, type: 'user_unauthorized' };
export const MISSING_SCOPE: Refusal = { code: 401, type: 'general_unauthorized_scope' };

/** Returns 400 general_argument_invalid for this parameter, with the validator's text if given. */
export function invalid(parameter: string, text?: string): Refusal {
  const prefix = `Invalid \`${parameter}\` param: `;
  return {
    code: 400,
    type: 'general_argument_invalid',
    message: text === undefined ? new RegExp(`^${prefix}.`) : prefix + text,
  };
}
