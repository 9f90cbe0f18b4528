/** Pages that are made for one request and kept by nobody go out compressed, as stored ones do. */
import { compressOnce } from '@common-ink/http/compression.ts';
import { negotiate } from '@common-ink/http/encoding.ts';
import { printable } from '#page-store/rendering/strip-invalid-characters.ts';

/** `response`, where it is HTML without characters that HTML forbids and in the coding that `request` likes best; errors uncached. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  const { headers, status, statusText } = response;
  // What is not there today may be published tomorrow, and what stands beside it be taken back.
  if (status >= 400 && !headers.has('cache-control')) headers.set('Cache-Control', 'no-store');
  if (!response.body || !headers.get('content-type')?.startsWith('text/html')) return response;
  if (headers.has('content-encoding')) return response;
  const html = printable(Buffer.from(await response.arrayBuffer()));
  const coding = negotiate(request.headers.get('accept-encoding') ?? undefined);
  const body = await compressOnce(coding, html);
  const answer = new Response(new Uint8Array(body), { status, statusText, headers });
  if (coding !== 'identity') answer.headers.set('Content-Encoding', coding);
  answer.headers.set('Content-Length', `${body.length}`);
  answer.headers.append('Vary', 'Accept-Encoding');
  return answer;
}
