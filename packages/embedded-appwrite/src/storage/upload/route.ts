/** Uploads a whole file or, with `Content-Range`, one chunk: `POST /storage/buckets/:bucketId/files` (contract 2.7). */

import type { Caller } from '../../caller.ts';
import { BODY_LIMIT, drain } from '../../http/body.ts';
import { AppwriteError } from '../../http/errors.ts';
import { customId, optional, permissionList, readParam, required, text, uid } from '../../http/params.ts';
import { endpoint, type Param, type RateLimit, type Route } from '../../http/route.ts';
import { isId } from '../../identifiers.ts';
import { defaultPermissions, RESOURCE_ACTIONS, requireGrantable, requirePermission } from '../../permissions.ts';
import { ownerOf } from '../../quota/usage.ts';
import type { BucketRecord } from '../buckets/bucket.ts';
import { fileEvent } from '../files/events.ts';
import { fileModel } from '../files/file.ts';
import { openBucket } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { parseContentRange, requireWholeChunk } from './content-range.ts';
import { cleanFileName, extensionOf } from './file-name.ts';
import { receiveForm, type UploadForm } from './form.ts';
import { storeChunk } from './store-chunk.ts';
import { storeWhole, type Upload } from './upload.ts';

const FILE_ID = required(customId());
const PERMISSIONS = optional(permissionList({ actions: RESOURCE_ACTIONS }), undefined);
const FOLDER = optional(text(255, { min: 0 }), '');

function isFurtherChunk(contentRange: string): boolean {
  return Number(/^\s*[a-z]+[\s=]+(\d{1,15})-/i.exec(contentRange)?.[1] ?? 0) > 0;
}

const bodyBytes = (contentLength: string): number =>
  contentLength === '' ? BODY_LIMIT : Math.min(Number(contentLength), BODY_LIMIT);

/** Limits uploads per caller; chunks after a file's first one have a separate limit. */
const REQUESTS: RateLimit = {
  limit: 60,
  window: 60,
  key: ({ ip, userId, header }) => `${userId || ip} ${isFurtherChunk(header('content-range')) ? 'further' : 'first'}`,
};

/** Limits the bytes that a caller uploads in ten minutes: enough for fifty pictures of the site's maximum size. */
const BYTES: RateLimit = {
  limit: 500_000_000,
  window: 600,
  key: ({ ip, userId }) => userId || ip,
  cost: ({ header }) => bodyBytes(header('content-length')),
};

/** Returns the file id in a chunk's header, if any. Throws 400 `storage_invalid_appwrite_id` if it is invalid. */
function uploadId(header: string): string | undefined {
  if (header === '') return undefined;
  if (!isId(header)) throw new AppwriteError('storage_invalid_appwrite_id');
  return header;
}

function requireAccepted({ allowedFileExtensions, maximumFileSize }: BucketRecord, name: string, size: number): void {
  if (allowedFileExtensions.length > 0 && !allowedFileExtensions.includes(extensionOf(name))) {
    throw new AppwriteError('storage_file_type_unsupported');
  }
  if (size > maximumFileSize) throw new AppwriteError('storage_invalid_file_size');
}

export function uploadRoute(service: StorageService): Route {
  const { store, events, usage, freeSpace } = service.kernel;

  /** Returns the bucket. Throws 404 like `openBucket`, 401 if the caller may not add files. */
  function openForUpload(caller: Caller, bucketId: string): BucketRecord {
    const bucket = openBucket(store, caller, bucketId);
    requirePermission(caller, 'create', bucket.permissions);
    return bucket;
  }

  async function accept(bucket: BucketRecord, caller: Caller, form: UploadForm, header: (name: string) => string) {
    const field = <T>(name: string, param: Param<T>) => readParam(name, param, form.fields.get(name), caller);
    const given = field('fileId', FILE_ID);
    const permissions = field('permissions', PERMISSIONS) ?? defaultPermissions(caller);
    const folder = field('folder', FOLDER);
    requireGrantable(caller, permissions);
    const received = form.file;
    if (!received || received.size === 0) throw new AppwriteError('storage_file_empty');
    const range = parseContentRange(header('content-range'));
    const fileId = (range && uploadId(header('x-appwrite-id'))) ?? given;
    const name = cleanFileName(received.name);
    requireAccepted(bucket, name, range?.total ?? received.size);
    const upload: Upload = { bucket, fileId, name, folder, permissions, uploader: ownerOf(caller), caller, received };
    if (!range) return storeWhole(service, upload);
    requireWholeChunk(range, received.size);
    return storeChunk(service, upload, range);
  }

  return endpoint(
    'POST /storage/buckets/:bucketId/files',
    { scope: 'files.write', body: 'stream', limits: [REQUESTS, BYTES] },
    { bucketId: required(uid()) },
    async (context) => {
      const { params, request } = context;
      const header = (name: string) => [request.headers[name]].flat()[0] ?? '';
      let form: UploadForm | undefined;
      let release: (() => void) | undefined;
      try {
        // Refuses an upload without permission before a byte reaches the disk.
        openForUpload(context.caller, params.bucketId);
        if (!store.hasRoom) throw new AppwriteError('general_storage_full');
        freeSpace.require(context.caller);
        // Reserves nothing for later chunks: the first one has already counted the entire file against the quota.
        if (!isFurtherChunk(header('content-range'))) {
          release = usage.reserve(context.caller, bodyBytes(header('content-length')));
        }
        form = await receiveForm(request, service.incoming);
        context.admit();
        const { caller } = context;
        const bucket = openForUpload(caller, params.bucketId);
        const stored = await accept(bucket, caller, form, header);
        if (stored.completed) events.emit(fileEvent('create', bucket, stored.file, caller));
        return { status: stored.unchanged ? 200 : 201, body: fileModel(bucket, stored.file) };
      } catch (error) {
        const tooSlow = error instanceof AppwriteError && error.type === 'general_request_timeout';
        if (!tooSlow) await drain(request, context.response);
        throw error;
      } finally {
        release?.();
        await form?.discard();
      }
    },
  );
}
