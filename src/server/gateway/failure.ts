/** Sends the gateway's own errors in the contract's form (1.6), so that the SDK throws them with their message. */
import type { ServerResponse } from 'node:http';
import { rawResponse } from '@common-ink/http/raw-response.ts';

interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly retryAfter?: number;
}

export const UNREACHABLE: Failure = {
  status: 503,
  type: 'general_server_error',
  message: 'The backend cannot be reached. Please try again in a moment.',
  retryAfter: 5,
};

export const BAD_REQUEST: Failure = {
  status: 400,
  type: 'general_argument_invalid',
  message: 'The request must name exactly one valid host.',
};

export const NO_ROUTE: Failure = {
  status: 404,
  type: 'general_route_not_found',
  message: 'The requested route was not found. Please refer to the API docs and try again.',
};

function bodyOf({ message, status, type }: Failure): string {
  return JSON.stringify({ message, code: status, type, version: '1.9.6' });
}

/** Sends `failure`, or closes the connection if a response has already begun. */
export function fail(response: ServerResponse, failure: Failure): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = bodyOf(failure);
  response.writeHead(failure.status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(failure.retryAfter && { 'retry-after': `${failure.retryAfter}` }),
  });
  response.end(body);
}

export function rawFailure(failure: Failure): string {
  const headers = { 'X-Content-Type-Options': 'nosniff', 'Content-Type': 'application/json; charset=UTF-8' };
  return rawResponse(failure.status, headers, bodyOf(failure));
}
