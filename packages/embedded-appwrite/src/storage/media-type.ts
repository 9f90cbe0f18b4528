/** What a file is, by its bytes: the client's word counts for nothing. */
import { open } from 'node:fs/promises';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';

const UNKNOWN = 'application/octet-stream';
/** Enough to tell text from binary and to see past a prolog. */
const SAMPLE = 8192;
/** JSON is recognised by parsing it whole, up to this size. */
const JSON_LIMIT = 1024 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: binary bytes are what it looks for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;
const PROLOG = /^(?:\s|<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!doctype\s+svg[^>[]*(?:\[[^\]]*\])?\s*>)*/i;
const HTML = /^<(?:!doctype\s+html|html|head|body|script|title|iframe|table|h1|div|style)\b/i;

/** Bytes, or the path of the file that holds them. */
type Content = Buffer | string;

async function readStart(content: Content, length: number): Promise<Buffer> {
  if (typeof content !== 'string') return content.subarray(0, length);
  const handle = await open(content, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
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
  const text = decode(await readStart(content, Math.min(size, SAMPLE)));
  if (text === undefined) return UNKNOWN;
  const markup = text.replace(PROLOG, '');
  if (/^<svg\b/i.test(markup)) return 'image/svg+xml';
  if (HTML.test(markup)) return 'text/html';
  if (/^\s*<\?xml\b/i.test(text)) return 'text/xml';
  if (/^\s*[[{]/.test(text) && size <= JSON_LIMIT) {
    const whole = decode(await readStart(content, size));
    if (whole !== undefined && isJson(whole)) return 'application/json';
  }
  return 'text/plain';
}

/**
 * The media type of bytes, or of those at a path; `application/octet-stream` when nothing fits. Text is `image/svg+xml`,
 * `text/html`, `text/xml`, `application/json` or `text/plain`.
 */
export async function mediaTypeOf(content: Content, size: number): Promise<string> {
  if (size === 0) return 'application/x-empty';
  const look = typeof content === 'string' ? fileTypeFromFile(content) : fileTypeFromBuffer(content);
  const known = await look.catch(() => undefined);
  if (known && known.mime !== 'application/xml') return known.mime;
  return textType(content, size);
}
