/** `POST /api/webhooks/appwrite`: what Appwrite sends when a post changed (contract 2.8). */
import { createHmac } from 'node:crypto';
import { concreteEvent, revalidationFor } from '../backend-events.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { answer, bodyOf, EndpointError, isSameSecret, json } from './json-endpoint.ts';

/** A post of a megabyte, with every character escaped as PHP does it, and some. */
const BODY_LIMIT = 8 * 1024 * 1024;

export const WEBHOOK_PATH = '/api/webhooks/appwrite';

export function webhookEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    if (!publishing?.webhookSecret) throw new EndpointError(403, 'Webhooks are switched off. Set WEBHOOK_SECRET.');
    const body = await bodyOf(request, BODY_LIMIT, publishing.limits.webhookBodies);
    const expected = webhookSignature(publishing.webhookSecret, publishing.siteUrl + WEBHOOK_PATH, body);
    if (!isSameSecret(request.headers.get('x-appwrite-webhook-signature') ?? '', expected)) {
      publishing.limits.wrongWebhookSignatures.spend(caller);
      throw new EndpointError(
        401,
        `The signature is wrong. Register the webhook with the key in WEBHOOK_SECRET and exactly this address: ${publishing.siteUrl}${WEBHOOK_PATH}`,
      );
    }
    const event = concreteEvent((request.headers.get('x-appwrite-webhook-events') ?? '').split(','));
    const payload = payloadOf(body);
    // The signature does not cover the event's name: it must name what the signed body holds.
    if (event && !event.includes(`.${payload.$id}.`)) throw new EndpointError(400, 'The event is not about the body.');
    const revalidation = event && revalidationFor(event, payload, publishing, 'webhook');
    if (!revalidation) return json(200, { revalidated: [] });
    const { revalidated, removed, failed } = await publishing.revalidate(revalidation);
    return json(failed.length > 0 ? 503 : 200, { revalidated, removed, failed: failed.map(({ path }) => path) });
  });
}

/** base64(HMAC-SHA1(secret, url + raw body)), the URL exactly as it was registered. */
export function webhookSignature(secret: string, url: string, body: Buffer): string {
  return createHmac('sha1', secret).update(url).update(body).digest('base64');
}

/** The signature covers neither the headers nor the time, so the payload is a hint; the backend is asked again. */
function payloadOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const payload: unknown = JSON.parse(body.toString());
    return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  } catch {
    throw new EndpointError(400, 'The body is not valid JSON.');
  }
}
