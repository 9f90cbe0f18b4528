import { isSlug } from '#blog/slug-rules.ts';
import { type PeerMessage, peerSignature, SIGNATURE_HEADER, TIME_HEADER } from '#publishing/peers.ts';
import { isSameSecret } from '../callers.ts';
import { ApiError, bodyOf, json, parsed } from '../json.ts';
import type { Call } from '../route.ts';
import { storedPathOf } from './rebuild.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_NAMES = 10_000;
/** Allowed difference between a message's time and this server's clock. Refusing older messages limits replays. */
const TOLERANCE_SECONDS = 300;

export async function receivePeerMessage({ request, address, site }: Call<'peerSecret'>): Promise<Response> {
  const body = await bodyOf(request, MAX_BYTES, site.limits.peerBodies);
  const time = request.headers.get(TIME_HEADER) ?? '';
  const expected = peerSignature(site.peerSecret, time, body);
  if (!isSameSecret(request.headers.get(SIGNATURE_HEADER) ?? '', expected)) {
    site.limits.wrongPeerSignatures.spend(address);
    throw new ApiError(401, 'The signature is wrong. All instances need the same PEER_SECRET.');
  }
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_SECONDS)) {
    throw new ApiError(401, 'The message is too old. The clocks of all instances must agree within five minutes.');
  }
  const { revalidated, removed, failed } = await site.revalidate({ ...messageOf(body), from: 'peer' });
  return json(failed.length > 0 ? 503 : 200, { revalidated, removed, failed: failed.map(({ path }) => path) });
}

function messageOf(body: Buffer): PeerMessage {
  const message = parsed(body);
  if (typeof message !== 'object' || message === null) throw new ApiError(400, 'The body must be a JSON object.');
  const { slugs, gone, tags, paths, all } = message as Record<string, unknown>;
  return {
    slugs: listOf(slugs, 'slugs', isSlug),
    gone: listOf(gone, 'gone', isSlug),
    tags: listOf(tags, 'tags', (tag) => /^[\x21-\x7e]{1,200}$/.test(tag)),
    paths: listOf(paths, 'paths', (path) => path.length <= 200).map(storedPathOf),
    ...(all === true && { all }),
  };
}

function listOf(value: unknown, field: string, isGood: (name: string) => boolean): string[] {
  const list = value ?? [];
  if (!Array.isArray(list)) throw new ApiError(400, `"${field}" must be a list of names.`);
  if (list.length > MAX_NAMES) {
    throw new ApiError(
      400,
      `"${field}" has ${list.length} names. Send at most ${MAX_NAMES} in one message, and the others in the next.`,
    );
  }
  const bad = list.findIndex((name) => typeof name !== 'string' || !isGood(name));
  if (bad >= 0) throw new ApiError(400, `"${field}" has an invalid name at position ${bad + 1}.`);
  return list;
}
