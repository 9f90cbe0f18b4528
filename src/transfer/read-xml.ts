/** Reads XML files of any size, one entry at a time. Rejects a DTD and does not resolve custom entities. */

import { SaxesParser } from 'saxes';
import { OperatorError } from '#blog/errors.ts';
import type { Archive } from './archive.ts';
import { createDecoder, type Place } from './decode-text.ts';
import type { NoPost } from './document.ts';
import { createMender, escapedAttribute, escapedText } from './mend-markup.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: XmlElement[];
  readonly parts: (string | XmlElement)[];
  readonly first: number;
  last: number;
}

/** Maximum length of one entry in characters. */
const MOST = 16_000_000;
const MOST_LEVELS = 100;
const IS_ROOT = /^(?:rss|feed|rdf:RDF)$/;
const BEGINNING = /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE|<(?:rss|feed|rdf:RDF)[\s>]/gi;
const MOST_SHOWN = 200;
const MOST_BEFORE = 262_144;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no control characters, but exports contain some.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Yields the elements named in `wanted`, at any depth. Repairs minor errors and lists them in the archive's `repairs`.
 * @throws OperatorError at the first error that cannot be repaired, after yielding the elements before it: damage, a
 *   DTD, bytes that are not in the detected encoding, or a file that is not XML.
 */
export async function* elementsOf(
  archive: Archive,
  file: string,
  wanted: ReadonlySet<string>,
): AsyncGenerator<XmlElement> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const done: XmlElement[] = [];
  const stack: XmlElement[] = [];
  let size = 0;
  let depth = 0;
  let isOver = false;
  let afterLine = 0;
  let after = '';
  let linesBefore = 0;
  const line = () => linesBefore + parser.line;
  const fail = (sentence: string): never => {
    throw new OperatorError(`${file}: ${sentence}`);
  };
  const leaveOut = (text: string, at: number) => {
    const what = `left out text that is not part of the XML: ${text.replace(/\s+/g, ' ').trim().slice(0, MOST_SHOWN)}`;
    if (text.trim() !== '') archive.repairs.add({ file, line: at, what, isLoss: false });
  };
  parser.on('error', ({ message }) => {
    if (isOver) return;
    const [, unclosed] = /unclosed tag: (.*)/.exec(message) ?? [];
    if (unclosed) fail(`it was cut short on line ${line()}, inside <${unclosed}>.`);
    fail(`it is damaged on line ${line()} or not XML: ${message.replace(/^[\d:\s]*/, '').replace(/\.?$/, '.')}`);
  });
  parser.on('doctype', () => isOver || fail('it has a DTD, which is refused because no export needs one.'));
  parser.on('opentag', ({ name, attributes }) => {
    if (isOver) return;
    depth += 1;
    if (depth > MOST_LEVELS) fail(`it is nested more than ${MOST_LEVELS} levels deep.`);
    const given = attributes as Record<string, string>;
    if (stack.length > 0 || wanted.has(name))
      stack.push({ name, attributes: given, text: '', children: [], parts: [], first: line(), last: 0 });
  });
  const onText = (text: string) => {
    if (isOver) {
      if (after.trim() === '') afterLine = line();
      if (after.length < MOST_SHOWN) after += text;
    }
    const top = stack.at(-1);
    if (!top) return;
    size += text.length;
    if (size > MOST) fail(`one of its entries has more than ${MOST.toLocaleString('en-US')} characters.`);
    top.text += text;
    top.parts.push(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => {
    if (isOver) return;
    depth -= 1;
    isOver = depth === 0 && IS_ROOT.test(name);
    const closed = stack.pop();
    if (!closed) return;
    closed.last = line();
    const parent = stack.at(-1);
    if (parent) {
      parent.children.push(closed);
      parent.parts.push(closed);
    } else {
      size = 0;
      done.push(closed);
    }
  });
  const decode = createDecoder(file, archive.repairs);
  let before = '';
  let mend: ReturnType<typeof createMender> | undefined;
  const mended = (piece: string): string => {
    if (mend) return mend(piece);
    before += piece;
    const { begin, skipped } = beginningOf(before);
    if (begin === undefined) {
      if (before.length > MOST_BEFORE) fail('it is damaged or not XML: it has no rss, feed or rdf:RDF element.');
      return '';
    }
    leaveOut(skipped, 1);
    linesBefore = before.slice(0, begin).split('\n').length - 1;
    mend = createMender(file, archive.repairs, linesBefore + 1);
    return mend(before.slice(begin));
  };
  const text = async function* () {
    for await (const bytes of archive.stream(file)) yield mended(decode(bytes).replace(CONTROLS, ''));
    yield mended(decode().replace(CONTROLS, '')) + (mend?.() ?? '');
  };
  for await (const piece of text()) {
    try {
      parser.write(piece);
    } finally {
      yield* done.splice(0);
    }
  }
  parser.close();
  leaveOut(after, afterLine);
}

/** Yields the elements of all files. Calls `onFault` for a damaged file and skips the rest of it. */
export async function* elementsOfFiles(
  archive: Archive,
  files: readonly string[],
  wanted: ReadonlySet<string>,
  onFault: (file: string, error: OperatorError) => void = () => {},
): AsyncGenerator<{ readonly file: string; readonly element: XmlElement }> {
  for (const file of files) {
    try {
      for await (const element of elementsOf(archive, file, wanted)) yield { file, element };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      onFault(file, error);
    }
  }
}

/** Reports the error and keeps the posts that were read before it. @throws the error if no post was read */
export function reportFault(posts: readonly unknown[], others: NoPost[], path: string, error: OperatorError): void {
  if (posts.length === 0) throw error;
  others.push({ path, reason: `${error.message} Everything before that was read`, failed: true });
}

function beginningOf(text: string): { begin: number | undefined; skipped: string } {
  let skipped = '';
  let at = 0;
  for (const { 0: part, index } of text.matchAll(BEGINNING)) {
    skipped += text.slice(at, index);
    if (!/^<(?:\?|!--)/.test(part)) return { begin: index, skipped };
    at = index + part.length;
  }
  return { begin: undefined, skipped };
}

export const placeIn = (file: string, { first, last }: XmlElement): Place => ({ file, first, last });

export const htmlOf = ({ parts }: XmlElement): string =>
  parts.map((part) => (typeof part === 'string' ? escapedText(part) : outerHtmlOf(part))).join('');

function outerHtmlOf(element: XmlElement): string {
  const name = element.name.replace(/^.*:/, '');
  const attributes = Object.entries(element.attributes)
    .map(([key, value]) => ` ${key}="${escapedAttribute(value)}"`)
    .join('');
  return /^(?:br|hr|img|wbr|input|source)$/.test(name)
    ? `<${name}${attributes}>`
    : `<${name}${attributes}>${htmlOf(element)}</${name}>`;
}

export const linkHtml = (address: string): string =>
  `<p><a href="${escapedAttribute(address)}">${escapedText(address)}</a></p>`;

export const pictureHtml = (address: string): string =>
  `<figure><img src="${escapedAttribute(address)}" alt=""></figure>`;

export const textOf = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text ?? '';
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);
