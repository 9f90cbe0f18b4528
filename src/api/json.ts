import type { BodyMemory } from '@common-ink/http/limits/body-memory.ts';
import { JsonBounds } from '@common-ink/http/limits/json-bounds.ts';
import { ApiError } from '#blog/errors.ts';

export { ApiError };

export type JsonObject = Readonly<Record<string, unknown>>;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** No valid body comes near these limits. */
const JSON_LIMITS = { depth: 16, values: 10_000 };

/** Number of bytes of a refused body to read and discard before the stream is cancelled. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Returns the body's bytes; `memory` counts them as they arrive. The rest of a body that is too large is read and
 * discarded, because a client whose connection closes immediately would not see the response.
 * @throws ApiError 413 for more than `limit` bytes, 503 if `memory` dropped the body, 400 if the client disconnected
 */
export async function bodyOf(request: Request, limit: number, memory?: BodyMemory): Promise<Buffer> {
  const tooLarge = () => new ApiError(413, `The body may have at most ${limit} bytes.`);
  // Leaves the body unread; the HTTP server discards it.
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge();
  if (!request.body) return Buffer.alloc(0);
  const reader = request.body.getReader();
  const share = memory?.enter(() => void reader.cancel().catch(() => undefined));
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await nextOf(reader); !next.done; next = await nextOf(reader)) {
      length += next.value.length;
      if (length > limit) {
        discard(reader).catch(() => undefined);
        throw tooLarge();
      }
      chunks.push(next.value);
      share?.hold(next.value.length);
    }
  } finally {
    share?.leave();
  }
  if (share?.isGone) {
    const message = 'The server ran low on memory before the whole request arrived. Try again.';
    throw new ApiError(503, message, { 'retry-after': '5' });
  }
  return Buffer.concat(chunks, length);
}

function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch(() => {
    throw new ApiError(400, 'The request was cut off. Try again.');
  });
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > DISCARDED_BYTES) return void (await reader.cancel());
  }
}

/** @throws ApiError 415 for another content type, 400 for an invalid body */
export async function objectOf(request: Request, limit: number): Promise<JsonObject> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(?:\s*;|$)/i.test(type)) {
    throw new ApiError(415, 'Send JSON, with the header Content-Type: application/json.');
  }
  const body = await bodyOf(request, limit);
  if (new JsonBounds(JSON_LIMITS).fault(body)) {
    throw new ApiError(400, 'The body is nested too deeply, or holds too many values.');
  }
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(400, 'The body must be a JSON object.');
  }
  return value as JsonObject;
}

/** @throws ApiError 400 for invalid JSON */
export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ApiError(400, 'The body is not valid JSON.');
  }
}
