import { ApiError, bodyOf } from './json.ts';

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const MAX_BYTES = 4096;

/**
 * Turns a form submission into a JSON request with its text fields. The field `jwt` identifies the user if the session
 * cookie belongs to another origin. Returns other requests unchanged.
 * @throws ApiError 413 for more than 4096 bytes, 400 for a malformed form
 */
export async function requestOfForm(request: Request): Promise<Request> {
  const type = request.headers.get('content-type') ?? '';
  if (!FORM.test(type)) return request;
  const bytes = new Uint8Array(await bodyOf(request, MAX_BYTES));
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new ApiError(400, 'The form is malformed.');
  });
  const { jwt, ...fields } = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  return requestWith(request, JSON.stringify(fields), jwt);
}

/** Returns a copy of the request with a JSON body, authenticated by `jwt` if there is one. */
export function requestWith(request: Request, body: string, jwt: unknown): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  if (typeof jwt === 'string' && jwt) headers.set('x-appwrite-jwt', jwt);
  return new Request(request.url, { method: 'POST', headers, body });
}
