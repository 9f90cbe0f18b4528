import type { FileRecord } from '../files/file.ts';

/** Media types that `view` keeps. All others become plain text, because some, such as SVG and HTML, can run scripts. */
const SHOWN_AS_IS: ReadonlySet<string> = new Set([
  ...['jpeg', 'png', 'apng', 'gif', 'webp', 'heic', 'heif', 'avif'].map((type) => `image/${type}`),
  ...['mp4', 'webm', 'ogg', 'quicktime', 'mpeg', 'x-msvideo', 'matroska'].map((type) => `video/${type}`),
  ...['mpeg', 'mp4', 'x-m4a', 'aac', 'ogg', 'opus', 'webm', 'wav', 'flac'].map((type) => `audio/${type}`),
  ...['pdf', 'msword', 'vnd.ms-excel', 'vnd.ms-powerpoint'].map((type) => `application/${type}`),
  ...['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
    (type) => `application/vnd.openxmlformats-officedocument.${type}`,
  ),
]);

const CACHE = 'private, max-age=3888000';

/** Returns a header such as `inline; filename="…"`, with an RFC 5987 `filename*` unless the name is plain ASCII. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ -~]+|["\\%]/g, '_');
  if (plain === name) return `${kind}; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Returns the headers of a `view` response. PDFs get no `sandbox`, because browsers do not display a sandboxed PDF. */
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
