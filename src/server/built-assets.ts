/**
 * The scripts, styles and fonts of the running build. They are compressed once, when the site is built, and their names
 * name their content: who has one never asks again.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { type Encoding, negotiate } from '#publishing/store/encoding.ts';

const PREFIX = '/_astro/';

export const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** The others are compressed as they are. */
const COMPRESSED = new Set(['.css', '.js', '.json', '.svg', '.wasm']);
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
/** Below it, in bytes, compression gains nothing. */
const SMALLEST = 200;

/** Writes the compressed forms of the files in `built` to `compressed`, which is apart so that nobody serves or copies them as files. */
export function compressAssets(built: string, compressed: string): void {
  for (const name of filesBelow(built)) {
    const body = readFileSync(join(built, name));
    if (!COMPRESSED.has(extname(name)) || body.length < SMALLEST) continue;
    const target = join(compressed, name);
    mkdirSync(dirname(target), { recursive: true });
    const params = { [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(target + ENDINGS.br, brotliCompressSync(body, { params }));
    writeFileSync(target + ENDINGS.gzip, gzipSync(body, { level: 9 }));
  }
}

/**
 * The function it gives is true when it has answered: GET and HEAD of a file of the build. `kept` holds copies, for when
 * another build has taken its place under the running server.
 */
export function serveBuiltAssets(built: string, compressed: string, kept?: string) {
  const names = new Set(filesBelow(built));
  const forms = new Set(filesBelow(compressed));
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const url = request.url ?? '';
    if (!url.startsWith(PREFIX) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const name = url.slice(PREFIX.length).split('?', 1)[0] ?? '';
    if (!names.has(name)) return false;
    const wanted = negotiate(request.headers['accept-encoding']);
    const form = wanted === 'identity' ? undefined : `${name}${ENDINGS[wanted]}`;
    const whole = [built, ...(kept === undefined ? [] : [kept])].map((folder) => found(join(folder, name), 'identity'));
    const packed = form !== undefined && forms.has(form) ? [found(join(compressed, form), wanted)] : [];
    void send(name, [...packed, ...whole], response);
    return true;
  };
}

interface Form {
  readonly body: Buffer;
  readonly encoding: Encoding;
}

const found = (file: string, encoding: Encoding) => (): Promise<Form | undefined> =>
  readFile(file).then(
    (body) => ({ body, encoding }),
    () => undefined,
  );

/** The first of `forms` that is there. */
async function send(name: string, forms: readonly (() => Promise<Form | undefined>)[], response: ServerResponse) {
  let form: Form | undefined;
  for (const read of forms) form ??= await read();
  if (!form) return void response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
  const { body, encoding } = form;
  response.writeHead(200, {
    'Content-Type': ASSET_TYPES[extname(name)] ?? 'application/octet-stream',
    'Content-Length': body.length,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    ...(COMPRESSED.has(extname(name)) && { Vary: 'Accept-Encoding' }),
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
  // Node leaves the body of a HEAD away.
  response.end(body);
}

function filesBelow(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
