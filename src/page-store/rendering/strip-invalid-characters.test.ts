import { expect, test } from 'vitest';
import { printable } from './strip-invalid-characters.ts';

const all = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');
const shown = (html: string) => printable(Buffer.from(html)).toString();

test('removes exactly the characters that HTML forbids', () => {
  const forbidden = `${all(0, 8)}${all(0xe, 0x1b)}${all(0x7f, 0x84)}${all(0x86, 0x9f)}${all(0xfdd0, 0xfdef)}\ufffe\uffff\u{1fffe}\u{10ffff}`;
  const allowed = 'Tab\t, line\r\n, page\f, é ¡ß ﷏ﷰ � \u{1fffd} 👋🏽 日本 שלום\u200f\u00ad';
  expect(shown(`${forbidden}${allowed}`)).toBe(allowed);
  for (const one of forbidden) expect(shown(`a${one}b`), one).toBe('ab');
  for (const one of '\u000b\u001c\u001f\u0085') expect(shown(`a${one}b`)).toBe('a b');
});

test('returns the same buffer for a valid page', () => {
  for (const html of ['<p>Ink.</p>', '<p>Ink\u00a0👋🏽 ﷏.</p>']) {
    const page = Buffer.from(html);
    expect(printable(page)).toBe(page);
  }
});
