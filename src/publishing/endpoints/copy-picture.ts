/** `POST /api/pictures/copy` `{ url }`: a signed-in writer gets a picture of another site, to store it as their own. */

import { type FaultKind, fetchPicture, RemotePictureFault } from '#backend/remote-pictures/fetch-picture.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { signedIn } from './guards/require-session.ts';
import { answer, EndpointError, objectOf } from './json-endpoint.ts';

const BODY_LIMIT = 16 * 1024;
const LONGEST_ADDRESS = 8192;

/** Of a kind each, so that the form can tell them in the writer's language. */
const STATUS: Readonly<Record<FaultKind, EndpointError['status']>> = {
  address: 400,
  private: 422,
  unreachable: 502,
  refused: 502,
  slow: 504,
  'too-large': 413,
  'no-picture': 415,
};

export function copyPictureEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    if (!publishing?.remotePictures) throw new EndpointError(403, 'Copying pictures is switched off here.');
    requireSameOrigin(request, publishing.siteUrl);
    const { url } = await objectOf(request, BODY_LIMIT);
    if (typeof url !== 'string' || url.length > LONGEST_ADDRESS) {
      throw new EndpointError(400, 'Send { "url": "https://…" }, the address of a picture.');
    }
    const user = await signedIn(request, caller, publishing, 'Sign in to copy pictures.');
    const { pictureCopies, pictureFetches } = publishing.limits;
    pictureCopies.spend(user);
    const options = { allowed: publishing.remotePictures, signal: request.signal };
    try {
      const { chunks, length, type } = await pictureFetches.run(() => fetchPicture(url, options), user);
      const headers = { ...HEADERS, 'content-length': `${length}`, 'content-type': type };
      return new Response(streamOf(chunks), { headers });
    } catch (error) {
      if (!(error instanceof RemotePictureFault)) throw error;
      throw new EndpointError(STATUS[error.kind], error.message);
    }
  });
}

/** A response made of the bytes themselves would keep a copy of them. */
function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Strangers' bytes under our address: nobody keeps them, shows them as a page or takes them for something else. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-disposition': 'attachment',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};
