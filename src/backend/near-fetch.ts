/**
 * `fetch` for the SDK on the server. Questions to a backend on this machine go by undici's `request`: a page asks three,
 * and the objects and streams that the standard makes of each answer take longer than the backend takes to find it. The
 * build puts it in the place of undici's `fetch` in the SDK (`server/stand-ins.ts`).
 */
import { type RequestInit, type Response, request, fetch as standardFetch } from 'undici';

export { Agent, File, FormData } from 'undici';

/** What the SDK reads of an answer. */
interface Answer extends Pick<Response, 'status' | 'text' | 'arrayBuffer'> {
  readonly headers: Pick<Response['headers'], 'get'>;
}

/** Answers come uncompressed, which is right where they cross no wire. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/;

/** @param options as the SDK makes them: headers are an object. @throws TypeError when no answer comes. */
export async function fetch(url: string, options: RequestInit): Promise<Answer> {
  const isQuestion = options.method === 'GET' && options.redirect === undefined;
  if (!isQuestion || !LOOPBACK.test(url)) return standardFetch(url, options);
  const { statusCode, headers, body } = await request(url, {
    headers: options.headers as Record<string, string>,
    ...(options.dispatcher && { dispatcher: options.dispatcher }),
  }).catch(failed);
  if (statusCode >= 300 && statusCode < 400) {
    await body.dump();
    return standardFetch(url, options);
  }
  return {
    status: statusCode,
    headers: { get: (name) => [headers[name.toLowerCase()] ?? []].flat().join(', ') || null },
    text: () => body.text().catch(failed),
    arrayBuffer: () => body.arrayBuffer().catch(failed),
  };
}

function failed(cause: unknown): never {
  throw new TypeError('fetch failed', { cause });
}
