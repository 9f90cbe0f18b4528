/** Headers of view and download (contract 2.7). */
import type { FileRecord } from '../files/file.ts';

/** Types that a view keeps. All others are sent as plain text: SVG and HTML can contain scripts. */
const SHOWN_AS_IS: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/mpeg',
  'video/x-msvideo',
  'video/matroska',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/opus',
  'audio/webm',
  'audio/wav',
  'audio/flac',
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]);

const CACHE = 'private, max-age=3888000';

/** Returns `inline; filename="…"`, with an RFC 5987 name if ASCII cannot represent it. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ -~]+|["\\%]/g, '_');
  if (plain === name) return `${kind}; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * Returns the headers of a file shown inline. `sandbox` isolates active content from this origin; PDF goes without,
 * because browsers refuse to open their viewer, itself sandboxed, in a sandbox.
 */
export function viewHeaders(file: FileRecord): Record<string, string> {
  const type = SHOWN_AS_IS.has(file.mimeType) ? file.mimeType : 'text/plain';
  return {
    'Content-Type': type,
    'Content-Security-Policy': type === 'application/pdf' ? 'script-src none;' : 'script-src none; sandbox;',
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': contentDisposition('inline', file.name),
    'Cache-Control': CACHE,
  };
}

export function downloadHeaders(file: FileRecord): Record<string, string> {
  return {
    'Content-Type': file.mimeType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': contentDisposition('attachment', file.name),
    'Cache-Control': CACHE,
  };
}
