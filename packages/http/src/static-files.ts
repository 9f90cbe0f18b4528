/** Serves files from a fixed list, so that no request path can escape the folder. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { type Encoding, negotiate } from './encoding.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** File types worth compressing; all others are already compressed. */
const COMPRESSED = new Set(['.css', '.js', '.json', '.svg', '.wasm']);
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const MIN_BYTES = 200;

export type StaticFile =
  | Buffer
  | {
      /** Paths of the file and its copies; the first readable one is sent. */
      readonly paths: readonly string[];
      readonly compressed?: string;
    };

export function compressFiles(folder: string, compressed: string): void {
  for (const name of filesBelow(folder)) {
    const body = readFileSync(join(folder, name));
    if (!COMPRESSED.has(extname(name)) || body.length < MIN_BYTES) continue;
    const target = join(compressed, name);
    mkdirSync(dirname(target), { recursive: true });
    const params = { [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(target + ENDINGS.br, brotliCompressSync(body, { params }));
    writeFileSync(target + ENDINGS.gzip, gzipSync(body, { level: 9 }));
  }
}

/** Returns the names of the files below a folder, with `/` between folders; empty for a missing folder. */
export function filesBelow(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Returns a handler that serves `files` by URL path, for GET and HEAD. It returns false for all other requests. */
export function serveStaticFiles(files: ReadonlyMap<string, StaticFile>, cacheControl = IMMUTABLE) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const file = files.get(path);
    if (!file) return false;
    const type = extname(path);
    if (Buffer.isBuffer(file)) send(response, { type, cacheControl }, file, 'identity');
    else void sendFromDisk(response, { type, cacheControl }, file, negotiate(request.headers['accept-encoding']));
    return true;
  };
}

interface Kind {
  readonly type: string;
  readonly cacheControl: string;
}

async function sendFromDisk(
  response: ServerResponse,
  kind: Kind,
  { paths, compressed }: Exclude<StaticFile, Buffer>,
  wanted: Encoding,
): Promise<void> {
  if (compressed !== undefined && wanted !== 'identity') {
    const body = await bytesAt(compressed + ENDINGS[wanted]);
    if (body) return send(response, kind, body, wanted);
  }
  for (const path of paths) {
    const body = await bytesAt(path);
    if (body) return send(response, kind, body, 'identity');
  }
  response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
}

const bytesAt = (path: string): Promise<Buffer | undefined> => readFile(path).catch(() => undefined);

function send(response: ServerResponse, { type, cacheControl }: Kind, body: Buffer, encoding: Encoding): void {
  response.writeHead(200, {
    'Content-Type': TYPES[type] ?? 'application/octet-stream',
    'Content-Length': body.length,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    ...(COMPRESSED.has(type) && { Vary: 'Accept-Encoding' }),
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
  });
  // Node.js omits the body of a response to HEAD.
  response.end(body);
}
