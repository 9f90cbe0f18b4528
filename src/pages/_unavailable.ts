/** The backend failed on a page that is not stored: 503, and when to come again. Anything else is a fault of ours: 500. */
import { BackendUnavailable } from '#backend/server.ts';

const RETRY_AFTER_SECONDS = '10';

/** Marks the answer and gives the message to show. Throws what is not the backend's failure. */
export function unavailable(error: unknown, response: ResponseInit & { readonly headers: Headers }): string {
  if (!(error instanceof BackendUnavailable)) throw error;
  response.status = 503;
  response.statusText = 'Service Unavailable';
  response.headers.set('Retry-After', RETRY_AFTER_SECONDS);
  response.headers.set('Cache-Control', 'no-store');
  console.error('The backend did not answer a page:', error.cause ?? error);
  return error.message;
}
