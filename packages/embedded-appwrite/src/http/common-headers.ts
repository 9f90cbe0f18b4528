/** Headers of every answer (contract 1.3). */
import type { IncomingMessage } from 'node:http';
import type { Origins } from './access/origin.ts';
import { VERSION } from './request-context.ts';

const isLater = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) > 0;

/** Returns name, value, name, value in a fresh list that the context extends. */
export function commonHeaders(request: IncomingMessage, origins: Origins): string[] {
  const { headers } = request;
  const fallback = headers.cookie || headers['x-appwrite-session'] ? 'false' : 'true';
  const common = ['Server', 'Appwrite', 'X-Content-Type-Options', 'nosniff', 'X-Debug-Fallback', fallback];
  if (headers.origin) common.push(...origins.headers(headers.origin));
  const format = headers['x-appwrite-response-format'];
  if (typeof format === 'string' && format !== VERSION && /^\d+\.\d+\.\d+$/.test(format) && isLater(format, VERSION)) {
    common.push(
      'X-Appwrite-Warning',
      `The current SDK is built for Appwrite ${format}. However, the current Appwrite server version is ${VERSION}. Please downgrade your SDK to match the Appwrite version: https://appwrite.io/docs/sdks`,
    );
  }
  return common;
}
