/** Reads a JSON request body, whole or not at all. */
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { bodyMemory } from './body-memory.ts';
import { AppwriteError } from './errors.ts';
import { parseExact } from './exact-json.ts';
import { watchPace } from './pace.ts';

/** What a real server's proxy takes, in bytes. */
export const BODY_LIMIT = 12 * 1024 * 1024;
export type JsonBody = Readonly<Record<string, unknown>>;

const EMPTY: JsonBody = Object.freeze({});

/** Throws 400 unless `text` is a JSON object; see `parseExact` for its numbers. Empty text is an empty object. */
function parseJson(text: string): JsonBody {
  if (text === '') return EMPTY;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new AppwriteError('general_bad_request', `The request body is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonBody;
  // PHP clients write an empty map as an empty list.
  if (Array.isArray(value) && value.length === 0) return EMPTY;
  throw new AppwriteError('general_bad_request', 'The request body must be a JSON object.');
}

/** Chunk by chunk: put together first, a large body would stand in memory once more. */
function textOf(chunks: readonly Buffer[]): string {
  const [first, ...rest] = chunks;
  if (!first) return '';
  if (rest.length === 0) return first.toString('utf8');
  const decoder = new StringDecoder('utf8');
  return chunks.map((chunk) => decoder.write(chunk)).join('') + decoder.end();
}

/** Rejects with 413 beyond `BODY_LIMIT`, 408 when too slow, 503 among too many, 400 when not JSON or not complete. */
export function readJson(request: IncomingMessage): Promise<JsonBody> {
  if (Number(request.headers['content-length']) > BODY_LIMIT) {
    return Promise.reject(new AppwriteError('general_payload_too_large'));
  }
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
    const chunks: Buffer[] = [];
    let size = 0;
    const memory = bodyMemory();
    const pace = watchPace(() => finish(() => reject(new AppwriteError('general_request_timeout'))));
    function finish(settle: () => void): void {
      pace.end();
      memory.release();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      settle();
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      pace.add(chunk.length);
      try {
        if (size > BODY_LIMIT) throw new AppwriteError('general_payload_too_large');
        memory.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        finish(() => reject(error));
      }
    }
    function onEnd(): void {
      finish(() => {
        try {
          resolve(parseJson(textOf(chunks)));
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
