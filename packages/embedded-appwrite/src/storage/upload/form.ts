import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { timelyChunks } from '@common-ink/http/limits/slow-body-timeout.ts';
import { Busboy } from '@fastify/busboy';
import { BODY_LIMIT, readJson, SMALL_BODY, tooSlow } from '../../http/body.ts';
import { AppwriteError } from '../../http/errors.ts';
import { newBlobName } from '../blobs.ts';
import { type ReceivedFile, receivePart } from './receive-part.ts';

const FORM_LIMITS = { fields: 256, fieldSize: 64 * 1024, files: 8, parts: 264, headerPairs: 64, headerSize: 16 * 1024 };

export interface UploadForm {
  /** Values by name; `name[]` and `name[0]` form a list. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly file?: ReceivedFile | undefined;
  /** Deletes the received file, unless it was moved. Must always be called. */
  discard(): Promise<void>;
}

const LIST_FIELD = /^([^[\]]+)\[\d*\]$/;

function addField(fields: Map<string, unknown>, name: string, value: string): void {
  const list = LIST_FIELD.exec(name)?.[1];
  if (list === undefined) {
    fields.set(name, value);
    return;
  }
  const known = fields.get(list);
  if (Array.isArray(known)) known.push(value);
  else fields.set(list, [value]);
}

async function readMultipart(request: IncomingMessage, folder: string): Promise<UploadForm> {
  const fields = new Map<string, unknown>();
  const path = join(folder, newBlobName());
  let part: Readable | undefined;
  let saved: Promise<ReceivedFile> | undefined;
  const discard = () => rm(path, { force: true });

  const parser = new Busboy({
    headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    limits: FORM_LIMITS,
  });
  const failure = new Promise<never>((_, reject) => {
    parser.on('error', reject);
    parser.on('field', (name, value) => addField(fields, name, value));
    parser.on('file', (name, stream, filename) => {
      if (name !== 'file' || saved) {
        stream.on('error', () => {}).resume();
        return;
      }
      part = stream;
      saved = receivePart(stream, path, filename ?? '');
      saved.catch(reject);
    });
  });
  failure.catch(() => {});
  const finished = once(parser, 'finish');
  finished.catch(() => {});

  try {
    let size = 0;
    for await (const chunk of timelyChunks(request, tooSlow)) {
      size += chunk.length;
      if (size > BODY_LIMIT) throw new AppwriteError('general_payload_too_large');
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), failure]);
    }
    parser.end();
    await Promise.race([finished, failure]);
    const file = await saved;
    return { fields, file, discard: typeof file?.content === 'string' ? discard : async () => {} };
  } catch (error) {
    part?.destroy(new Error('The upload broke off.'));
    await saved?.catch(() => {});
    await discard();
    throw error;
  }
}

/**
 * Receives a form, or its fields as JSON. Throws 408 for a slow body, 400 `general_bad_request` for a malformed one and
 * 413 `general_payload_too_large` over 12 MiB (JSON: 64 KiB). An error leaves nothing on disk.
 */
export async function receiveForm(request: IncomingMessage, folder: string): Promise<UploadForm> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) throw new AppwriteError('general_payload_too_large');
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data/i.test(type)) {
    const values = type.includes('json') ? await readJson(request, SMALL_BODY) : {};
    return { fields: new Map(Object.entries(values)), discard: async () => {} };
  }
  try {
    return await readMultipart(request, folder);
  } catch (error) {
    // System errors (disk full, no permission) pass through; any other error means that the form is malformed.
    if (error instanceof AppwriteError || (error as NodeJS.ErrnoException).syscall) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppwriteError('general_bad_request', `The form cannot be read: ${reason}`);
  }
}
