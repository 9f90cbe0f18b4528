/** Checks pictures in settings. An SVG's scripts do not run in `<img>`, but would if its URL were opened directly. */

const PNG = '\x89PNG\r\n\x1a\n';
/** Matches scripts, event handlers, embedded HTML, entities, and references to anything outside the file. */
const UNSAFE = [
  /<(?:script|foreignobject|handler|listener)\b/i,
  /<!entity/i,
  /[\s/"']on\w+\s*=/i,
  /\bhref\s*=(?!\s*["']\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,]))/i,
  /url\(\s*["']?\s*(?!#|data:image\/)[^\s"')]/i,
  /@import|javascript:|<\?xml-stylesheet/i,
];

/** Returns true if `src`, a base64 `data:` URL of type `image/png` or `image/svg+xml`, is a PNG or a harmless SVG. */
export function isSafePicture(src: string): boolean {
  const [head = '', base64 = ''] = src.split(',', 2);
  try {
    const bytes = atob(base64);
    if (head === 'data:image/png;base64') return bytes.startsWith(PNG);
    if (head !== 'data:image/svg+xml;base64') return false;
    const svg = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return /<svg[\s>]/i.test(svg) && UNSAFE.every((pattern) => !pattern.test(svg));
  } catch {
    return false;
  }
}

/** Returns the size in pixels; undefined for other types and for an SVG without a size. */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  if (String.fromCharCode(...bytes.subarray(0, PNG.length)) === PNG && bytes.length >= 24) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  const [, tag] = /<svg\b([^>]*)>/i.exec(new TextDecoder().decode(bytes)) ?? [];
  if (tag === undefined) return undefined;
  const [, , , width, height] = /\bviewBox\s*=\s*["']\s*(\S+)[\s,]+(\S+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag) ?? [];
  return sizeOf(width, height) ?? sizeOf(lengthOf(tag, 'width'), lengthOf(tag, 'height'));
}

const lengthOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1];

function sizeOf(width: string | undefined, height: string | undefined) {
  const [w, h] = [Number(width), Number(height)];
  return w > 0 && h > 0 ? { width: Math.round(w), height: Math.round(h) } : undefined;
}
