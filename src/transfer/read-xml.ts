/** XML files of any size, one entry at a time. Nothing is resolved: neither a DTD nor an entity of the file's own. */

import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { TransferError } from './document.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
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
 * @throws TransferError where the file is no XML, not UTF-8, has a DTD, or is damaged; what stood before was given.
 */
export async function* elementsOf(file: string, wanted: ReadonlySet<string>): AsyncGenerator<XmlElement> {
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
      stack.push({ name, attributes: attributes as Record<string, string>, text: '', children: [] });
  });
  const onText = (text: string) => {
    const top = stack.at(-1);
    if (!top) return;
    size += text.length;
    if (size > MOST) fail(`an entry of it has more than ${MOST.toLocaleString('en-US')} characters.`);
    top.text += text;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    depth -= 1;
    const closed = stack.pop();
    if (!closed) return;
    const parent = stack.at(-1);
    if (parent) parent.children.push(closed);
    else {
      size = 0;
      done.push(closed);
    }
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      return fail('it is not UTF-8 text.');
    }
  };
  let isFirst = true;
  for await (const bytes of createReadStream(file, { highWaterMark: 1 << 16 })) {
    let text = decode(bytes as Buffer).replace(CONTROLS, '');
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

/** The text of a child; empty where there is none. */
export const textOf = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text ?? '';
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);
