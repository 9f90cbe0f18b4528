/**
 * A read as nearly all of them are: one GET or HEAD, whole, with nothing in it that needs a real HTTP server. Whatever is
 * the least bit unusual is not understood here, on purpose; `node:http` then gets the very bytes.
 */
import { type Encoding, negotiate } from '../store/encoding.ts';
import { isHost } from './host.ts';

export interface PlainRead {
  readonly isHead: boolean;
  readonly path: string;
  readonly encoding: Encoding;
  readonly ifNoneMatch: string | undefined;
}

/** Bytes of a request that are looked at. */
const MOST_BYTES = 4096;
const REQUEST_LINE = /^(GET|HEAD) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
/** RFC 9110, 5.6.2 and 5.5; no folding, no bytes beyond ASCII. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/;
/** They change what the request is, or how the connection goes on. */
const UNUSUAL = new Set([
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'keep-alive',
  'http2-settings',
]);
const ONCE = new Set(['host', 'accept-encoding', 'if-none-match', 'connection']);

/** Clients ask the same way again and again; each way is read once. */
const KEPT = 500;
const LONGEST_KEPT = 1024;
const understood = new Map<string, PlainRead | undefined>();

/** Undefined for anything but exactly one plain read. */
export function plainReadOf(chunk: Buffer): PlainRead | undefined {
  if (chunk.length > MOST_BYTES) return undefined;
  const text = chunk.toString('latin1');
  if (understood.has(text)) return understood.get(text);
  const read = parsed(text);
  if (text.length <= LONGEST_KEPT) {
    if (understood.size >= KEPT) understood.clear();
    understood.set(text, read);
  }
  return read;
}

function parsed(text: string): PlainRead | undefined {
  if (text.indexOf('\r\n\r\n') !== text.length - 4) return undefined;
  const [first = '', ...lines] = text.slice(0, -4).split('\r\n');
  const [, method, path] = REQUEST_LINE.exec(first) ?? [];
  if (path === undefined) return undefined;
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    if (UNUSUAL.has(key) || (ONCE.has(key) && values.has(key))) return undefined;
    values.set(key, value.trim());
  }
  if (!isHost(values.get('host') ?? '') || (values.get('connection') ?? 'keep-alive').toLowerCase() !== 'keep-alive')
    return undefined;
  return {
    isHead: method === 'HEAD',
    path,
    encoding: negotiate(values.get('accept-encoding')),
    ifNoneMatch: values.get('if-none-match'),
  };
}
