import { identityHeaders } from '#backend/browser.ts';

/**
 * Sends a request to the site's own server as the signed-in user. If there is a body, sends it in a POST request: a
 * Blob as a file, anything else as JSON.
 */
export async function send(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = await identityHeaders();
  if (body === undefined) return fetch(path, { headers, signal: signal ?? null });
  const [type, content] =
    body instanceof Blob ? ['application/octet-stream', body] : ['application/json', JSON.stringify(body)];
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: content,
    signal: signal ?? null,
  });
}
