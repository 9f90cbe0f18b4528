/** Fetches a picture from another site for a signed-in writer, whose browser then uploads it as the writer's own. */

import { fetchPicture } from '#backend/remote-pictures/fetch-picture.ts';
import { ApiError, type JsonObject } from '../json.ts';
import type { Call } from '../route.ts';

const MAX_ADDRESS_LENGTH = 8192;

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
  const { chunks, length, type } = await site.limits.pictureFetches.run(() => fetchPicture(url, options), userId);
  const headers = { ...HEADERS, 'content-length': `${length}`, 'content-type': type };
  return new Response(streamOf(chunks), { headers });
}

/** Streams the chunks, because a response built from a single buffer would copy them. */
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

/** Keeps the other site's bytes from being cached under our URL, displayed as a page or sniffed as another type. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-disposition': 'attachment',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};
