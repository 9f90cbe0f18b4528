import { STATUS_CODES } from 'node:http';
import { compressOnce } from '@common-ink/http/compression.ts';
import { negotiate } from '@common-ink/http/encoding.ts';
import { printable } from '#page-store/rendering/strip-invalid-characters.ts';

/** Compresses HTML and removes characters that HTML forbids. Sets `no-store` on errors without `Cache-Control`. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  if (status >= 400 && !headers.has('cache-control')) headers.set('Cache-Control', 'no-store');
  if (!response.body || !headers.get('content-type')?.startsWith('text/html')) return response;
  if (headers.has('content-encoding')) return response;
  const html = printable(Buffer.from(await response.arrayBuffer()));
  const coding = negotiate(request.headers.get('accept-encoding') ?? undefined);
  const body = await compressOnce(coding, html);
  const answer = new Response(new Uint8Array(body), { status, statusText: STATUS_CODES[status] ?? '', headers });
  if (coding !== 'identity') answer.headers.set('Content-Encoding', coding);
  answer.headers.set('Content-Length', `${body.length}`);
  answer.headers.append('Vary', 'Accept-Encoding');
  return answer;
}
