import { createHmac } from 'node:crypto';
import { exactText } from '../http/exact-json.ts';

/** Returns JSON in the form of Appwrite's webhooks: slashes escaped, non-ASCII characters as `\u…`. */
export function deliveryBody(payload: unknown): string {
  return exactText(payload).replace(/[/\u0080-\uffff]/g, (mark) =>
    mark === '/' ? '\\/' : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the HMAC-SHA1, in base64, of the URL (exactly as registered) followed by the raw body. */
export function signatureOf(secret: string, url: string, body: string): string {
  return createHmac('sha1', secret).update(url).update(body).digest('base64');
}
