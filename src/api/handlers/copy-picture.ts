/** `POST /api/pictures/copy` `{ url }`: a signed-in writer gets a picture of another site, to store it as their own. */

import { type FaultKind, fetchPicture, RemotePictureFault } from '#backend/remote-pictures/fetch-picture.ts';
import { ApiError, type JsonObject } from '../json.ts';
import type { Call } from '../route.ts';

const MAX_ADDRESS_LENGTH = 8192;

/** Of a kind each, so that the form can tell them in the writer's language. */
const STATUS: Readonly<Record<FaultKind, ApiError['status']>> = {
  address: 400,
  private: 422,
  unreachable: 502,
  refused: 502,
  slow: 504,
  'too-large': 413,
  'no-picture': 415,
};

/** Takes `{ url }`. */
export function pictureAddressOf({ url }: JsonObject): string {
  if (typeof url === 'string' && url.length <= MAX_ADDRESS_LENGTH) return url;
  throw new ApiError(400, 'Send { "url": "https://…" }, the address of a picture.');
}

export async function copyPicture({
  request,
  site,
  userId,
  body: url,
}: Call<'remotePictures', string>): Promise<Response> {
  const options = { allowed: site.remotePictures, signal: request.signal };
  try {
    const { chunks, length, type } = await site.limits.pictureFetches.run(() => fetchPicture(url, options), userId);
    const headers = { ...HEADERS, 'content-length': `${length}`, 'content-type': type };
    return new Response(streamOf(chunks), { headers });
  } catch (error) {
    if (!(error instanceof RemotePictureFault)) throw error;
    throw new ApiError(STATUS[error.kind], error.message);
  }
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
