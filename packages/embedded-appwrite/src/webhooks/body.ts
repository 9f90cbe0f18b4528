/** What a receiver is sent, and how he can tell that it is from us (contract 2.8). */
import { createHmac } from 'node:crypto';
import { exactText } from '../http/exact-json.ts';

/** JSON as a real server writes it to webhooks: slashes escaped, everything outside ASCII as `\u…`. */
export function deliveryBody(payload: unknown): string {
  return exactText(payload).replace(/[/\u0080-\uffff]/g, (mark) =>
    mark === '/' ? '\\/' : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Base64 of HMAC-SHA1 over the address, exactly as registered, and the raw body. */
export function signatureOf(secret: string, url: string, body: string): string {
  return createHmac('sha1', secret).update(url).update(body).digest('base64');
}
