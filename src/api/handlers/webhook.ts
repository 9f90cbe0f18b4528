/** Handles `POST /api/webhooks/appwrite`, which Appwrite calls when a post or an author changes (contract 2.8). */
import { createHmac } from 'node:crypto';
import { concreteEvent, revalidationFor } from '#publishing/backend-events.ts';
import { isSameSecret } from '../callers.ts';
import { ApiError, bodyOf, type JsonObject, json, parsed } from '../json.ts';
import type { Call } from '../route.ts';

/** Large enough for a million characters, even if PHP escapes each as six bytes (`\uXXXX`). */
const MAX_BYTES = 8 * 1024 * 1024;

export const WEBHOOK_PATH = '/api/webhooks/appwrite';

export async function receiveWebhook({ request, address, site }: Call<'webhookSecret'>): Promise<Response> {
  const body = await bodyOf(request, MAX_BYTES, site.limits.webhookBodies);
  const url = site.siteUrl + WEBHOOK_PATH;
  const expected = webhookSignature(site.webhookSecret, url, body);
  if (!isSameSecret(request.headers.get('x-appwrite-webhook-signature') ?? '', expected)) {
    site.limits.wrongWebhookSignatures.spend(address);
    throw new ApiError(
      401,
      `The signature is wrong. Register the webhook with the key in WEBHOOK_SECRET and exactly this address: ${url}`,
    );
  }
  const event = concreteEvent((request.headers.get('x-appwrite-webhook-events') ?? '').split(','));
  // The signature has no timestamp, so a body can be replayed. That is harmless: it only selects pages to render again.
  const payload = { ...(parsed(body) as JsonObject | null) };
  // The signature does not cover the event's name, so the name must match the signed body.
  if (event && !event.includes(`.${payload.$id}.`)) throw new ApiError(400, 'The event is not about the body.');
  const revalidation = event && revalidationFor(event, payload, site, 'webhook');
  if (!revalidation) return json(200, { revalidated: [] });
  const { revalidated, removed, failed } = await site.revalidate(revalidation);
  return json(failed.length > 0 ? 503 : 200, { revalidated, removed, failed: failed.map(({ path }) => path) });
}

/** Returns base64(HMAC-SHA1(secret, url + raw body)), with the URL exactly as it was registered. */
export function webhookSignature(secret: string, url: string, body: Buffer): string {
  return createHmac('sha1', secret).update(url).update(body).digest('base64');
}
