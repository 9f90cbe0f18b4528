import type { Store } from '../../sqlite/store.ts';
import { integer, json, type RecordOf, table, text } from '../../sqlite/table.ts';
import type { BucketRecord } from '../buckets/bucket.ts';

const COLUMNS = {
  sequence: integer,
  bucketSequence: integer,
  id: text,
  name: text,
  folder: text,
  permissions: json<readonly string[]>(),
  /** MD5 in hex; empty until the upload is complete, like `mimeType`. */
  signature: text,
  /** Detected from the content. */
  mimeType: text,
  /** Size of the whole file in bytes, as declared by the first chunk. */
  sizeOriginal: integer,
  /** Stored bytes; 0 until the upload is complete. */
  sizeActual: integer,
  chunksTotal: integer,
  chunksUploaded: integer,
  blob: text,
  /**
   * Owner of the upload (`ownerOf`). The file counts towards the owner's quota. Only the owner or a caller with a
   * server key may continue the upload.
   */
  uploader: text,
  createdAt: text,
  updatedAt: text,
  bytes: integer,
};

export const FILES = table('files', COLUMNS);
export type FileRecord = Omit<RecordOf<typeof COLUMNS>, 'bytes'>;
export type NewFile = Omit<FileRecord, 'sequence'>;

export function findFile(store: Store, bucket: BucketRecord, id: string): FileRecord | undefined {
  return FILES.get(store, { bucketSequence: bucket.sequence, id });
}

/** Minimum bytes counted on top of a file's size, for its row and its partly filled last disk block. */
const ROW_BYTES = 4096;

export function bytesOfFile({ sizeOriginal, permissions }: Pick<FileRecord, 'sizeOriginal' | 'permissions'>): number {
  return sizeOriginal + Math.max(ROW_BYTES, Buffer.byteLength(JSON.stringify(permissions)));
}

export function isComplete(file: FileRecord): boolean {
  return file.chunksUploaded >= file.chunksTotal;
}

/** Returns a file in the API's form. Reports no encryption or compression, whatever the bucket's settings. */
export function fileModel(bucket: BucketRecord, file: FileRecord): Record<string, unknown> {
  return {
    $id: file.id,
    bucketId: bucket.id,
    $createdAt: file.createdAt,
    $updatedAt: file.updatedAt,
    $permissions: file.permissions,
    name: file.name,
    folder: file.folder,
    key: file.folder + file.name,
    signature: file.signature,
    mimeType: file.mimeType,
    sizeOriginal: file.sizeOriginal,
    sizeActual: file.sizeActual,
    chunksTotal: file.chunksTotal,
    chunksUploaded: file.chunksUploaded,
    encryption: false,
    compression: isComplete(file) ? 'none' : '',
  };
}
