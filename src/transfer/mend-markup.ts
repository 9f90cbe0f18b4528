/** Escapes text that XML does not allow although its meaning is clear: a bare `&` or `<`, and HTML's named entities. */

import { parseHtml, textIn } from '#blog/content/tree.ts';
import type { Repairs } from './decode-text.ts';

const SECTIONS: readonly (readonly [start: string, end: string])[] = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
];
const XML_REFERENCE = /^&(?:amp|lt|gt|quot|apos);/;
const NUMBER_REFERENCE = /^&#(?:(\d{1,7})|x([\da-f]{1,6}));/i;
const NAMED_REFERENCE = /^&[a-z][\da-z]*;/i;
const SIGNS = /[<&]/g;
/** Number of characters needed to recognise an entity. HTML's longest name has 31. */
const LOOKAHEAD = 34;

/** Returns a function that mends one piece of a file, or the rest when called without a piece. */
export function createMender(file: string, repairs: Repairs, line: number): (piece?: string) => string {
  let held = '';
  let end = '';
  let linesBefore = line;
  const mended = (text: string, at: number): readonly [length: number, replacement: string] => {
    const sign = text.slice(at, at + LOOKAHEAD);
    const add = (what: string) =>
      repairs.add({ file, line: linesBefore + text.slice(0, at).split('\n').length - 1, what, isLoss: false });
    if (sign.startsWith('<')) {
      if (/^<[a-z_:/!?]/i.test(sign)) return [1, '<'];
      add(`“<” does not start a tag and was kept as text: ${wordAt(text, at)}`);
      return [1, '&lt;'];
    }
    if (XML_REFERENCE.test(sign)) return [1, '&'];
    const [number, decimal, hexadecimal] = NUMBER_REFERENCE.exec(sign) ?? [];
    if (number) {
      if (isXmlCharacter(decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16))) return [1, '&'];
      add(`${number} is not a valid XML character and was left out`);
      return [number.length, ''];
    }
    const [name = ''] = NAMED_REFERENCE.exec(sign) ?? [];
    const character = name && textIn(parseHtml(name));
    if (character && !character.endsWith(';')) {
      add(`${name} is an HTML entity and was read as “${character}”`);
      return [name.length, escapedText(character)];
    }
    add(`“&” does not start a character reference and was kept as text: ${wordAt(text, at)}`);
    return [1, '&amp;'];
  };
  return (piece) => {
    const text = held + (piece ?? '');
    held = '';
    const out: string[] = [];
    let at = 0;
    while (at < text.length) {
      if (end) {
        const found = text.indexOf(end, at);
        const kept = piece === undefined ? 0 : end.length - 1;
        const stop = found < 0 ? Math.max(at, text.length - kept) : found + end.length;
        out.push(text.slice(at, stop));
        at = stop;
        if (found < 0) break;
        end = '';
        continue;
      }
      SIGNS.lastIndex = at;
      const stop = SIGNS.exec(text)?.index ?? text.length;
      out.push(text.slice(at, stop));
      at = stop;
      if (at === text.length || (piece !== undefined && text.length - at < LOOKAHEAD)) break;
      const section = SECTIONS.find(([start]) => text.startsWith(start, at));
      const [length, replacement] = section ? [section[0].length, section[0]] : mended(text, at);
      end = section?.[1] ?? '';
      out.push(replacement);
      at += length;
    }
    held = text.slice(at);
    linesBefore += text.slice(0, at).split('\n').length - 1;
    return out.join('');
  };
}

const wordAt = (text: string, at: number): string =>
  `${/[^\s<>]{0,20}$/.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? ''}${/^.[^\s<>]{0,20}/.exec(text.slice(at, at + 21))?.[0] ?? ''}`;

/** Returns true for a character that XML allows (XML 1.0, production 2). */
const isXmlCharacter = (code: number): boolean =>
  [0x9, 0xa, 0xd].includes(code) ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

export const escapedText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
export const escapedAttribute = (text: string): string => escapedText(text).replace(/"/g, '&quot;');
