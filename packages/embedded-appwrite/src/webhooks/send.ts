/** Sends one delivery: a POST on its own connection, without retries or redirects. */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { VERSION } from '../http/request-context.ts';
import { signatureOf } from './body.ts';
import type { WebhookRecord } from './webhook.ts';

export interface Delivery {
  readonly events: readonly string[];
  /** ASCII only, so its length is its size in bytes. */
  readonly body: string;
  /** The user who made the change; absent if a guest or a caller with a server key made it. */
  readonly userId?: string | undefined;
}

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly log: string };

/** Time limit in milliseconds for connecting, sending and receiving the response together. */
const TIMEOUT = 15_000;
/** Maximum response size in bytes. A larger response counts as a failed delivery. */
const ANSWER_LIMIT = 5 * 1024 * 1024;
/** Maximum characters of a failed delivery's response that are logged for the operator. */
const LOGGED = 10_000;

/** Returns a header value: the text's UTF-8 bytes, with control characters replaced by spaces. */
function headerValue(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to replace
  return Buffer.from(text.replace(/[\u0000-\u001f\u007f]/g, ' ')).toString('latin1');
}

function headersOf(webhook: WebhookRecord, projectId: string, { events, body, userId }: Delivery) {
  const { authUsername: name, authPassword: password } = webhook;
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'User-Agent': `Appwrite-Server v${VERSION}`,
    'X-Appwrite-Webhook-Id': webhook.id,
    'X-Appwrite-Webhook-Events': events.join(','),
    'X-Appwrite-Webhook-Name': headerValue(webhook.name),
    ...(userId === undefined ? {} : { 'X-Appwrite-Webhook-User-Id': userId }),
    'X-Appwrite-Webhook-Project-Id': projectId,
    'X-Appwrite-Webhook-Signature': signatureOf(webhook.secret, webhook.url, body),
    ...(name && password ? { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` } : {}),
  };
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  let size = 0;
  let beginning = '';
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) {
    size += Buffer.byteLength(chunk);
    if (size > ANSWER_LIMIT) throw new Error(`The answer is longer than ${ANSWER_LIMIT} bytes.`);
    if (beginning.length < LOGGED) beginning += chunk;
  }
  return beginning.slice(0, LOGGED);
}

/** Posts the body as a Buffer: with a string, Node would also write the headers in the string's encoding. */
async function post(url: URL, options: RequestOptions & { rejectUnauthorized: boolean }, body: string) {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(Buffer.from(body, 'latin1'));
  });
  return { status: response.statusCode ?? 0, text: await readAnswer(response) };
}

/** Sends a delivery. Returns failures as an outcome and never rejects. */
export async function send(
  webhook: WebhookRecord,
  projectId: string,
  delivery: Delivery,
  signal: AbortSignal,
  timeout = TIMEOUT,
): Promise<Outcome> {
  const log = (...lines: string[]): Outcome => ({
    ok: false,
    log: `${[`URL: ${webhook.url}`, 'Method: POST', ...lines].join('\n')}\n`,
  });
  const timedOut = AbortSignal.timeout(timeout);
  try {
    const options = {
      method: 'POST',
      headers: headersOf(webhook, projectId, delivery),
      // Opens a new connection each time: the receiver may have just closed an old one, and the delivery would fail.
      agent: false as const,
      rejectUnauthorized: webhook.tls,
      signal: AbortSignal.any([signal, timedOut]),
    };
    const { status, text } = await post(new URL(webhook.url), options, delivery.body);
    return status > 0 && status < 400 ? { ok: true } : log(`Status code: ${status}`, 'Body: ', text);
  } catch (error) {
    const cause = timedOut.aborted ? `No answer within ${timeout / 1000} s.` : (error as Error).message;
    return log(`Error: ${cause}`, `Events: ${delivery.events.join(', ')}`);
  }
}
