/** XML files of any size, one entry at a time. Nothing is resolved: neither a DTD nor an entity of the file's own. */

import { SaxesParser } from 'saxes';
import type { Archive } from './archive.ts';
import { TransferError } from './document.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlElement[];
  /** Text and children in their order. */
  readonly parts: readonly (string | XmlElement)[];
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
  parts: (string | XmlElement)[];
}

/** Characters of one entry. */
const MOST = 16_000_000;
const MOST_LEVELS = 100;
/** Letters that generators write as HTML's entities although XML does not know them. */
const ENTITIES = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no control characters, and exports hold some.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Elements named in `wanted`, whole, wherever they stand.
 * @throws TransferError where the file is no XML, not in the encoding it names, has a DTD, or is damaged; what stood before was given.
 */
export async function* elementsOf(
  archive: Archive,
  file: string,
  wanted: ReadonlySet<string>,
): AsyncGenerator<XmlElement> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  Object.assign(parser.ENTITIES, ENTITIES);
  const done: XmlElement[] = [];
  const stack: Open[] = [];
  let size = 0;
  let depth = 0;
  const fail = (sentence: string): never => {
    throw new TransferError(`${file}: ${sentence}`);
  };
  parser.on('error', (error) => fail(`it is damaged, or no XML: ${error.message.split('\n')[0]}`));
  parser.on('doctype', () => fail('it has a DTD, which no export has and which is refused.'));
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MOST_LEVELS) fail(`it has more than ${MOST_LEVELS} levels inside of each other.`);
    if (stack.length > 0 || wanted.has(name))
      stack.push({ name, attributes: attributes as Record<string, string>, text: '', children: [], parts: [] });
  });
  const onText = (text: string) => {
    const top = stack.at(-1);
    if (!top) return;
    size += text.length;
    if (size > MOST) fail(`an entry of it has more than ${MOST.toLocaleString('en-US')} characters.`);
    top.text += text;
    top.parts.push(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    depth -= 1;
    const closed = stack.pop();
    if (!closed) return;
    const parent = stack.at(-1);
    if (parent) {
      parent.children.push(closed);
      parent.parts.push(closed);
    } else {
      size = 0;
      done.push(closed);
    }
  });
  let decoder: TextDecoder | undefined;
  const decode = (bytes?: Buffer): string => {
    decoder ??= bytes && decoderFor(bytes);
    if (!decoder) return fail('it is empty.');
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      return fail(`it is not ${decoder.encoding.toUpperCase()} text.`);
    }
  };
  let isFirst = true;
  for await (const bytes of archive.stream(file)) {
    let text = decode(bytes).replace(CONTROLS, '');
    if (isFirst) text = text.trimStart();
    isFirst &&= text === '';
    let fault: unknown;
    try {
      parser.write(text);
    } catch (error) {
      fault = error;
    }
    yield* done.splice(0);
    if (fault) throw fault;
  }
  parser.write(decode());
  parser.close();
  yield* done.splice(0);
}

/** The encoding that the file's first line names; UTF-8 without one. */
function decoderFor(bytes: Buffer): TextDecoder {
  const [first, second] = bytes;
  const byMark = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : '';
  const named = /^[^<]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(
    bytes.subarray(0, 200).toString('latin1'),
  )?.[1];
  try {
    return new TextDecoder(byMark || named || 'utf-8', { fatal: true });
  } catch {
    return new TextDecoder('utf-8', { fatal: true });
  }
}

/** What stands in an element, as HTML. */
export const htmlOf = ({ parts }: XmlElement): string =>
  parts.map((part) => (typeof part === 'string' ? escapedXml(part) : outerHtmlOf(part))).join('');

function outerHtmlOf(element: XmlElement): string {
  const name = element.name.replace(/^.*:/, '');
  const attributes = Object.entries(element.attributes)
    .map(([key, value]) => ` ${key}="${escapedXml(value).replace(/"/g, '&quot;')}"`)
    .join('');
  return /^(?:br|hr|img|wbr|input|source)$/.test(name)
    ? `<${name}${attributes}>`
    : `<${name}${attributes}>${htmlOf(element)}</${name}>`;
}

export const escapedXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** A paragraph of HTML that is a link to the address, shown as it is. */
export const linkHtml = (address: string): string =>
  `<p><a href="${escapedXml(address).replace(/"/g, '&quot;')}">${escapedXml(address)}</a></p>`;

/** The text of a child; empty where there is none. */
export const textOf = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text ?? '';
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);
