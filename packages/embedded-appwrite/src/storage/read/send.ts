/** Writes a file's bytes to a response: small ones from memory, others as a stream, in whole or in part. */
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AppwriteError } from '../../http/errors.ts';
import type { FileRecord } from '../files/file.ts';
import type { StorageService } from '../service.ts';
import { type ByteRange, parseRange } from './range.ts';

/** Bodies up to this size are kept in memory. */
export const KEPT_IN_MEMORY = 256 * 1024;
/** Bytes of a larger one that are read ahead of its client. */
const READ_AHEAD = 64 * 1024;

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

/** The row is there, its bytes are not: somebody touched the folder. */
function bytesMissing(service: StorageService, file: FileRecord, error: unknown): AppwriteError {
  service.log('error', `The bytes of file ${file.id} cannot be read; restore the storage folder from a backup.`, error);
  return new AppwriteError('storage_file_not_found');
}

/**
 * Ends when everything that was asked for before on the same connection has left: until then whatever is written waits in
 * memory. False when the client went away.
 */
function itsTurn(response: ServerResponse): Promise<boolean> {
  if (response.socket) return Promise.resolve(true);
  return new Promise((resolve) => {
    response.once('socket', () => resolve(true)).once('close', () => resolve(false));
  });
}

const WRONG_SIZE = 'It has another size than when it was stored.';

/** @throws AppwriteError 404 where a file's bytes are missing, or fewer or more than were stored. */
export async function requireWhole(service: StorageService, file: FileRecord): Promise<void> {
  const { size } = await stat(service.blobs.pathOf(file.blob)).catch((error) => {
    throw bytesMissing(service, file, error);
  });
  if (size !== file.sizeActual) throw bytesMissing(service, file, new Error(WRONG_SIZE));
}

/** Opens a file's bytes. Throws 404 where they are missing, and where they are fewer or more than were stored. */
async function openWhole(service: StorageService, file: FileRecord): Promise<FileHandle> {
  const handle = await open(service.blobs.pathOf(file.blob), 'r').catch((error) => {
    throw bytesMissing(service, file, error);
  });
  const { size } = await handle.stat();
  if (size === file.sizeActual) return handle;
  await handle.close();
  throw bytesMissing(service, file, new Error(WRONG_SIZE));
}

async function stream(
  service: StorageService,
  file: FileRecord,
  response: ServerResponse,
  headers: Record<string, string>,
  range: ByteRange | undefined,
): Promise<void> {
  if (!(await itsTurn(response))) return;
  const handle = await openWhole(service, file);
  head(response, headers, file.sizeActual, range);
  const bytes = handle.createReadStream({
    start: range?.start ?? 0,
    end: (range?.end ?? file.sizeActual) - 1,
    highWaterMark: READ_AHEAD,
  });
  try {
    await pipeline(bytes, response);
    // Cut off while it was sent: a client would wait for the rest of a body that has ended.
    if (bytes.bytesRead < (range?.end ?? file.sizeActual) - (range?.start ?? 0)) response.destroy();
  } catch (error) {
    // The reader left, which is his right; anything else cuts the body short, which tells him.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      service.log('warn', `Sending file ${file.id} broke off.`, error);
    }
  }
}

/** Answers with the bytes of a complete file; `Range` gives a part (206) or 416. */
export async function sendFile(
  service: StorageService,
  file: FileRecord,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  const range = parseRange(request.headers.range, file.sizeActual);
  if (request.method === 'HEAD') {
    await requireWhole(service, file);
    head(response, headers, file.sizeActual, range);
    response.end();
    return;
  }
  let body = service.memory.get(file.blob);
  if (!body) {
    if (file.sizeActual > KEPT_IN_MEMORY) return stream(service, file, response, headers, range);
    body = await readFile(service.blobs.pathOf(file.blob)).catch((error) => {
      throw bytesMissing(service, file, error);
    });
    if (body.length !== file.sizeActual) throw bytesMissing(service, file, new Error(WRONG_SIZE));
    service.memory.set(file.blob, body);
  }
  head(response, headers, file.sizeActual, range);
  response.end(range ? body.subarray(range.start, range.end) : body);
}
