import type { APIContext } from 'astro';
import { DomainError } from '#blog/errors.ts';

interface Cached {
  readonly cache: { readonly maxAge: number; readonly tags: string[] };
}

const RETRY_AFTER_SECONDS = '10';

/**
 * Returns and caches the result of `load`, or returns a message if the backend failed. If it returns neither, the
 * caller must send a 404.
 */
export async function stored<T extends Cached>(
  { cache, response }: Pick<APIContext, 'cache'> & { readonly response: PageResponse },
  load: () => Promise<T | undefined>,
) {
  try {
    const found = await load();
    if (found) cache?.set(found.cache);
    return { found, message: '' };
  } catch (error) {
    return { found: undefined, message: unavailable(error, response) };
  }
}

export type PageResponse = ResponseInit & { readonly headers: Headers };

/** Sets status 503 and Retry-After, and returns the message to show. Rethrows errors that are not the backend's. */
export function unavailable(error: unknown, response: PageResponse): string {
  if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
  response.status = 503;
  response.headers.set('Retry-After', RETRY_AFTER_SECONDS);
  response.headers.set('Cache-Control', 'no-store');
  console.error('The backend did not answer while a page was rendered:', error.cause ?? error);
  return error.message;
}

/** Returns a cacheable response with the body from `make`; 404 if the body is undefined, 503 if the backend fails. */
export async function kept(
  { cache, rewrite }: APIContext,
  type: string,
  make: () => Promise<(Cached & { readonly body: string | Uint8Array<ArrayBuffer> }) | undefined>,
): Promise<Response> {
  const response = { status: 200, headers: new Headers({ 'content-type': type }) };
  const { found, message } = await stored({ cache, response }, make);
  if (found) return new Response(found.body, response);
  if (!message) return rewrite('/404');
  response.headers.set('content-type', 'text/plain; charset=utf-8');
  return new Response(`${message}\n`, response);
}
