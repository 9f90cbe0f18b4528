/** Reads a JSON request body, and drains a refused one so that the client receives the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CollectedBytes } from '@common-ink/http/collected-bytes.ts';
import { BodyMemory } from '@common-ink/http/limits/body-memory.ts';
import { JsonBounds, type JsonLimits } from '@common-ink/http/limits/json-bounds.ts';
import { startSlowBodyTimeout, timelyChunks } from '@common-ink/http/limits/slow-body-timeout.ts';
import { AppwriteError } from './errors.ts';
import { parseExact } from './exact-json.ts';

/** Maximum size of a body in bytes, as in Appwrite's proxy. */
export const BODY_LIMIT = 12 * 1024 * 1024;
/** Maximum size in bytes of a signed-in user's request: a million three-byte characters, enough for any article. */
export const USER_BODY = 3 * 1024 * 1024;
/** Maximum size in bytes of a guest's request. Lower than for users, because anyone can send one. */
export const GUEST_BODY = 1024 * 1024;
/** Maximum size in bytes of a collection's definition with all attributes and their defaults. */
export const SCHEMA_BODY = 1024 * 1024;
export const SMALL_BODY = 64 * 1024;
/** Maximum bytes to drain of a refused body. Leaving any unread resets the connection, and the response may be lost. */
const DRAIN_LIMIT = 64 * 1024 * 1024;
/** `depth` is PHP's limit, as in Appwrite. `values` suffices for a hundred documents of a thousand attributes each. */
export const JSON_LIMITS: JsonLimits = { depth: 512, values: 100_000 };
/** Fewer values for guests, because parsing takes a microsecond per name or long number. */
export const GUEST_JSON: JsonLimits = { ...JSON_LIMITS, values: 10_000 };
/** Memory limit shared by all bodies being read. Small bodies are always accepted. */
const memory = new BodyMemory({ most: 64 * 1024 * 1024, free: 64 * 1024 });

export type JsonBody = Readonly<Record<string, unknown>>;

const EMPTY: JsonBody = Object.freeze({});

export const tooSlow = () => new AppwriteError('general_request_timeout');

function parseJson(text: string): JsonBody {
  if (text === '') return EMPTY;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new AppwriteError('general_bad_request', `The request body is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonBody;
  // PHP clients send an empty list for an empty map.
  if (Array.isArray(value) && value.length === 0) return EMPTY;
  throw new AppwriteError('general_bad_request', 'The request body must be a JSON object.');
}

function tooLarge(limit: number): AppwriteError {
  const allowed = limit < 1024 * 1024 ? `${limit / 1024} KiB` : `${limit / 1024 / 1024} MiB`;
  return new AppwriteError('general_payload_too_large', `The request body is larger than the allowed ${allowed}.`);
}

/**
 * Reads a JSON body. Rejects with 413 beyond `limit` bytes, 408 when the client is too slow, 503 when memory is short,
 * and 400 when the body is incomplete, not JSON, or beyond the limits in `json`.
 */
export function readJson(request: IncomingMessage, limit: number, json: JsonLimits = JSON_LIMITS): Promise<JsonBody> {
  if (Number(request.headers['content-length']) > limit) return Promise.reject(tooLarge(limit));
  const type = request.headers['content-type'];
  if (type !== undefined && !type.includes('json') && request.headers['content-length'] !== '0') {
    return Promise.reject(
      new AppwriteError(
        'general_bad_request',
        `Send the parameters as application/json, not as ${type.split(';')[0]}.`,
      ),
    );
  }
  return new Promise((resolve, reject) => {
    const bytes = new CollectedBytes();
    const bounds = new JsonBounds(json);
    const share = memory.enter(() => finish(() => reject(new AppwriteError('general_server_busy'))));
    const timeout = startSlowBodyTimeout(() => finish(() => reject(tooSlow())));
    function finish(settle: () => void): void {
      timeout.end();
      share.leave();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      settle();
    }
    function onData(chunk: Buffer): void {
      timeout.add(chunk.length);
      try {
        if (bytes.length + chunk.length > limit) throw tooLarge(limit);
        const fault = bounds.fault(chunk);
        if (fault) throw new AppwriteError('general_bad_request', `The request body ${fault}.`);
        bytes.add(chunk);
        share.hold(chunk.length);
      } catch (error) {
        finish(() => reject(error));
      }
    }
    function onEnd(): void {
      finish(() => {
        try {
          resolve(parseJson(bytes.takeText()));
        } catch (error) {
          reject(error);
        }
      });
    }
    function onClose(): void {
      finish(() => reject(new AppwriteError('general_bad_request', 'The request body ended too early.')));
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** Drains up to 64 MiB of a refused body. If the body is longer or too slow, the response closes the connection. */
export async function drain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  let dropped = 0;
  try {
    for await (const chunk of timelyChunks(request, tooSlow)) {
      dropped += chunk.length;
      if (dropped > DRAIN_LIMIT) {
        response.setHeader('Connection', 'close');
        return;
      }
    }
  } catch {
    response.setHeader('Connection', 'close');
  }
}
