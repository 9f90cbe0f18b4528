/** A file as stored and the JSON it is answered with (contract 2.7). */
import type { Store } from '../../sqlite/store.ts';
import type { BucketRecord } from '../buckets/bucket.ts';

export interface FileRecord {
  readonly sequence: number;
  readonly bucketSequence: number;
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly permissions: readonly string[];
  /** MD5 of the bytes in hex; empty until the upload is complete, like `mimeType`. */
  readonly signature: string;
  /** What the bytes are, whatever the client called them. */
  readonly mimeType: string;
  /** Bytes, as declared by the first chunk. */
  readonly sizeOriginal: number;
  /** Bytes at rest; 0 until the upload is complete. */
  readonly sizeActual: number;
  readonly chunksTotal: number;
  readonly chunksUploaded: number;
  /** Name of the bytes on disk. */
  readonly blob: string;
  /** The owner of the upload, see `ownerOf`: nobody else may continue it, and it counts for them. */
  readonly uploader: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type NewFile = Omit<FileRecord, 'sequence'>;

/** Reads a row of `files`. */
export function fileFromRow(row: Record<string, unknown>): FileRecord {
  return {
    sequence: row.sequence as number,
    bucketSequence: row.bucket_sequence as number,
    id: row.id as string,
    name: row.name as string,
    folder: row.folder as string,
    permissions: JSON.parse(row.permissions as string),
    signature: row.signature as string,
    mimeType: row.mime_type as string,
    sizeOriginal: row.size_original as number,
    sizeActual: row.size_actual as number,
    chunksTotal: row.chunks_total as number,
    chunksUploaded: row.chunks_uploaded as number,
    blob: row.blob as string,
    uploader: row.uploader as string,
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
  };
}

/** The file called `id` in a bucket, whoever asks. */
export function findFile(store: Store, bucket: BucketRecord, id: string): FileRecord | undefined {
  const row = store.prepare('SELECT * FROM files WHERE bucket_sequence = ? AND id = ?').get(bucket.sequence, id);
  return row && fileFromRow(row);
}

/** Bytes that a file takes besides its own, at least: its row, and the rest of its last block on disk. */
const ROW_BYTES = 4096;

/** The bytes that a file counts for: the size that its first chunk declares, and its row with its permissions. */
export function bytesOfFile({ sizeOriginal, permissions }: Pick<FileRecord, 'sizeOriginal' | 'permissions'>): number {
  return sizeOriginal + Math.max(ROW_BYTES, Buffer.byteLength(JSON.stringify(permissions)));
}

/** Adds a row and gives its sequence. Call inside `store.write`, after making sure that the id is free. */
export function insertFile(store: Store, file: NewFile): number {
  const { lastInsertRowid } = store
    .prepare(
      `INSERT INTO files (bucket_sequence, id, name, folder, permissions, signature, mime_type, size_original,
       size_actual, chunks_total, chunks_uploaded, blob, uploader, created_at, updated_at, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      file.bucketSequence,
      file.id,
      file.name,
      file.folder,
      JSON.stringify(file.permissions),
      file.signature,
      file.mimeType,
      file.sizeOriginal,
      file.sizeActual,
      file.chunksTotal,
      file.chunksUploaded,
      file.blob,
      file.uploader,
      file.createdAt,
      file.updatedAt,
      bytesOfFile(file),
    );
  return Number(lastInsertRowid);
}

/** Whether every byte has arrived. */
export function isComplete(file: FileRecord): boolean {
  return file.chunksUploaded >= file.chunksTotal;
}

/** The answer for a file. Nothing is encrypted or compressed at rest, whatever the bucket asks, and the answer says so. */
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
