import { createHash } from 'node:crypto';
import type { Models } from 'node-appwrite';
import sharp from 'sharp';
import { later } from './cleanup.ts';
import type { Answer, Http } from './http.ts';
import { fresh } from './names.ts';
import { keyOf } from './people.ts';

/** Chunk size in bytes. All SDKs split files into chunks of this size, and servers use it to count chunks. */
export const CHUNK = 5 * 1024 * 1024;
export type Bucket = Awaited<ReturnType<typeof bucket>>;

export async function bucket(settings: Record<string, unknown> = {}) {
  const { http } = keyOf();
  const bucketId = fresh('bucket');
  await http.post('/storage/buckets', { bucketId, name: bucketId, ...settings }).is(201);
  later(() => http.delete(`/storage/buckets/${bucketId}`));
  return { bucketId, files: `/storage/buckets/${bucketId}/files` };
}

export const securedBucket = () => bucket({ fileSecurity: true, permissions: ['create("users")'] });

export interface Upload {
  readonly name?: string;
  readonly bytes?: Uint8Array;
  readonly fileId?: string;
  readonly permissions?: readonly string[];
  /** Additional headers, such as a chunk's range and its file's id. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function upload(http: Http, { files }: Bucket, what: Upload = {}): Answer {
  const form = new FormData();
  form.append('fileId', what.fileId ?? fresh('file'));
  form.append('file', new File([new Uint8Array(what.bytes ?? TEXT)], what.name ?? 'note.txt'));
  for (const permission of what.permissions ?? []) form.append('permissions[]', permission);
  return http.post(files, form, { headers: what.headers ?? {} });
}

export const stored = (http: Http, where: Bucket, what: Upload = {}): Promise<Models.File> =>
  upload(http, where, what).json<Models.File>(201);

export function chunkHeaders(start: number, size: number, fileId?: string): Record<string, string> {
  const end = Math.min(start + CHUNK, size) - 1;
  return { 'content-range': `bytes ${start}-${end}/${size}`, ...(fileId && { 'x-appwrite-id': fileId }) };
}

export const TEXT = Buffer.from('Just a note.\n');
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');
export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** Returns a picture with a red left half and a blue right half. */
export function picture(width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> {
  const right = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#0000ff' } };
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: right, left: Math.floor(width / 2), top: 0 }])
    .toFormat(format)
    .toBuffer();
}

/** Returns bytes without a pattern, so that a misplaced chunk is detected. The same length gives the same bytes. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at + 4 <= length; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes;
}
