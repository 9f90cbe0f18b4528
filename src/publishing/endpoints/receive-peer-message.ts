/** `POST /api/peers`: another instance of the site says what changed, signed with the secret they share. */
import { isSlug } from '#blog/slug-rules.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import type { PeerMessage } from '../peer-message.ts';
import { peerSignature, SIGNATURE_HEADER, TIME_HEADER } from '../peers.ts';
import { answer, bodyOf, EndpointError, isSameSecret, json } from './json-endpoint.ts';
import { storedPathOf } from './rebuild.ts';

const BODY_LIMIT = 1024 * 1024;
const MOST_NAMES = 10_000;
/** Seconds that clocks may differ and a message may take: a recorded one is worth nothing afterwards. */
const TOLERANCE = 300;

export function peersEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    if (!publishing?.peerSecret) throw new EndpointError(403, 'This site has no peers. Set PEERS and PEER_SECRET.');
    const body = await bodyOf(request, BODY_LIMIT, publishing.limits.peerBodies);
    const time = request.headers.get(TIME_HEADER) ?? '';
    const expected = peerSignature(publishing.peerSecret, time, body);
    if (!isSameSecret(request.headers.get(SIGNATURE_HEADER) ?? '', expected)) {
      publishing.limits.wrongPeerSignatures.spend(caller);
      throw new EndpointError(401, 'The signature is wrong. All instances need the same PEER_SECRET.');
    }
    if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE)) {
      throw new EndpointError(
        401,
        'The message is too old. The clocks of all instances must agree within five minutes.',
      );
    }
    const { revalidated, removed, failed } = await publishing.revalidate({ ...messageOf(body), from: 'peer' });
    return json(failed.length > 0 ? 503 : 200, { revalidated, removed, failed: failed.map(({ path }) => path) });
  });
}

function messageOf(body: Buffer): PeerMessage {
  let message: unknown;
  try {
    message = JSON.parse(body.toString());
  } catch {
    throw new EndpointError(400, 'The body is not valid JSON.');
  }
  if (typeof message !== 'object' || message === null) throw new EndpointError(400, 'The body must be a JSON object.');
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
  if (!Array.isArray(list)) throw new EndpointError(400, `"${field}" must be a list of names.`);
  if (list.length > MOST_NAMES) {
    throw new EndpointError(
      400,
      `"${field}" has ${list.length} names. Send at most ${MOST_NAMES} in one message, and the others in the next.`,
    );
  }
  const bad = list.findIndex((name) => typeof name !== 'string' || !isGood(name));
  if (bad >= 0) throw new EndpointError(400, `"${field}" has a name that cannot be one, at place ${bad + 1}.`);
  return list;
}
