/** Handles errors on pages that are not stored: 503 with a time to retry if the backend failed, otherwise 500. */
import { BackendUnavailable } from '#backend/server.ts';

const RETRY_AFTER_SECONDS = '10';

/** Sets the response's status and headers, and returns the message to show. Rethrows any other error. */
export function unavailable(error: unknown, response: ResponseInit & { readonly headers: Headers }): string {
  if (!(error instanceof BackendUnavailable)) throw error;
  response.status = 503;
  response.statusText = 'Service Unavailable';
  response.headers.set('Retry-After', RETRY_AFTER_SECONDS);
  response.headers.set('Cache-Control', 'no-store');
  console.error('The backend did not answer a page:', error.cause ?? error);
  return error.message;
}
