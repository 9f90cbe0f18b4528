/** Detects a file's type from its bytes; the client's declaration is ignored. */
import { ReadableStream } from 'node:stream/web';
import { fileTypeFromBuffer, fileTypeFromStream } from 'file-type';
import type { ByteRange } from './read/range.ts';

const UNKNOWN = 'application/octet-stream';
/** Bytes read from a file's start: enough to tell text from binary and to get past an XML prolog. */
const SAMPLE_BYTES = 8192;
/** Maximum size in bytes of a file that is parsed as a whole to find out whether it is JSON. */
const LARGEST_JSON_BYTES = 1024 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the control characters of binary files
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;
const PROLOG = /^(?:\s|<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!doctype\s+svg[^>[]*(?:\[[^\]]*\])?\s*>)*/i;
const HTML = /^<(?:!doctype\s+html|html|head|body|script|title|iframe|table|h1|div|style)\b/i;

type Content = Buffer | ((range: ByteRange) => AsyncIterable<Buffer>);

async function readStart(content: Content, length: number): Promise<Buffer> {
  if (typeof content !== 'function') return content.subarray(0, length);
  return Buffer.concat(await Array.fromAsync(content({ start: 0, end: length })));
}

function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return BINARY.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

async function textType(content: Content, size: number): Promise<string> {
  const text = decode(await readStart(content, Math.min(size, SAMPLE_BYTES)));
  if (text === undefined) return UNKNOWN;
  const markup = text.replace(PROLOG, '');
  if (/^<svg\b/i.test(markup)) return 'image/svg+xml';
  if (HTML.test(markup)) return 'text/html';
  if (/^\s*<\?xml\b/i.test(text)) return 'text/xml';
  if (/^\s*[[{]/.test(text) && size <= LARGEST_JSON_BYTES) {
    const whole = decode(await readStart(content, size));
    if (whole !== undefined && isJson(whole)) return 'application/json';
  }
  return 'text/plain';
}

async function binaryType(content: Content, size: number): Promise<string | undefined> {
  const found =
    typeof content === 'function'
      ? fileTypeFromStream(ReadableStream.from(content({ start: 0, end: size })))
      : fileTypeFromBuffer(content);
  return (await found.catch(() => undefined))?.mime;
}

/** Returns the media type: SVG, HTML, XML, JSON or plain for text, `application/octet-stream` for unknown bytes. */
export async function mediaTypeOf(content: Content, size: number): Promise<string> {
  if (size === 0) return 'application/x-empty';
  const known = await binaryType(content, size);
  return known && known !== 'application/xml' ? known : textType(content, size);
}
