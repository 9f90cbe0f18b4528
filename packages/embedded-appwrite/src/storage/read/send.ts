import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AppwriteError } from '../../http/errors.ts';
import type { OpenBlob } from '../blobs.ts';
import { LARGEST_CACHED_BYTES } from '../byte-cache.ts';
import type { FileRecord } from '../files/file.ts';
import type { StorageService } from '../service.ts';
import { type ByteRange, parseRange } from './range.ts';

function head(response: ServerResponse, headers: Record<string, string>, size: number, range: ByteRange | undefined) {
  if (!range) {
    response.writeHead(200, { ...headers, 'Content-Length': size });
    return;
  }
  response.writeHead(206, {
    ...headers,
    'Content-Length': range.end - range.start,
    'Accept-Ranges': 'bytes',
    'Content-Range': `bytes ${range.start}-${range.end - 1}/${size}`,
  });
}

function unreadable(service: StorageService, file: FileRecord, error: unknown): AppwriteError {
  service.log('error', `The bytes of file ${file.id} cannot be read; restore the storage folder from a backup.`, error);
  return new AppwriteError('storage_file_not_found');
}

/** Opens a file's blob. Throws 404 if it is missing or its size differs from the record. */
async function openWhole(service: StorageService, file: FileRecord): Promise<OpenBlob> {
  const blob = await service.blobs.open(file.blob).catch((error) => {
    throw unreadable(service, file, error);
  });
  if (blob.size === file.sizeActual) return blob;
  await blob.close();
  throw unreadable(service, file, new Error('Its size has changed since it was stored.'));
}

export async function readWhole(service: StorageService, file: FileRecord): Promise<Buffer> {
  const blob = await openWhole(service, file);
  try {
    return Buffer.concat(await Array.fromAsync(blob.chunks()));
  } catch (error) {
    throw unreadable(service, file, error);
  } finally {
    await blob.close();
  }
}

/** Waits for earlier pipelined responses, so that Node does not buffer this one. Resolves to false on a disconnect. */
function itsTurn(response: ServerResponse): Promise<boolean> {
  if (response.socket) return Promise.resolve(true);
  return new Promise((resolve) => {
    response.once('socket', () => resolve(true)).once('close', () => resolve(false));
  });
}

async function stream(
  service: StorageService,
  file: FileRecord,
  response: ServerResponse,
  headers: Record<string, string>,
  range: ByteRange | undefined,
): Promise<void> {
  if (!(await itsTurn(response))) return;
  const blob = await openWhole(service, file);
  head(response, headers, file.sizeActual, range);
  try {
    await pipeline(blob.chunks(range), response);
  } catch (error) {
    // Ignores clients that disconnect. Any other error cuts the body short, which the client notices.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      service.log('warn', `Sending file ${file.id} was interrupted.`, error);
    }
  } finally {
    await blob.close();
  }
}

/** Sends a complete file or, with a `Range` header, a part of it (206). Throws 416 for an invalid range. */
export async function sendFile(
  service: StorageService,
  file: FileRecord,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  const range = parseRange(request.headers.range, file.sizeActual);
  if (request.method === 'HEAD') {
    await (await openWhole(service, file)).close();
    head(response, headers, file.sizeActual, range);
    response.end();
    return;
  }
  let body = service.memory.get(file.blob);
  if (!body) {
    if (file.sizeActual > LARGEST_CACHED_BYTES) return stream(service, file, response, headers, range);
    body = await readWhole(service, file);
    service.memory.set(file.blob, body);
  }
  head(response, headers, file.sizeActual, range);
  response.end(range ? body.subarray(range.start, range.end) : body);
}
