import { expect, test } from 'vitest';
import { printable } from './printable.ts';

const page = (html: string, type = 'text/html; charset=utf-8') =>
  new Response(html, { status: 404, statusText: 'Not Found', headers: { 'content-type': type, 'x-own': 'kept' } });
const all = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');

test('a page holds no character that HTML forbids, and all others', async () => {
  const forbidden = `${all(0, 8)}${all(0xe, 0x1b)}${all(0x7f, 0x84)}${all(0x86, 0x9f)}${all(0xfdd0, 0xfdef)}\ufffe\uffff\u{1fffe}\u{10ffff}`;
  const allowed = 'Tab\t, line\r\n, page\f, é ¡ß ﷏ﷰ � \u{1fffd} 👋🏽 日本 שלום\u200f\u00ad';
  const answer = await printable(page(`${forbidden}${allowed}`));
  expect(await answer.text()).toBe(allowed);
  expect([answer.status, answer.statusText, answer.headers.get('x-own')]).toEqual([404, 'Not Found', 'kept']);
  for (const one of forbidden) expect(await (await printable(page(`a${one}b`))).text(), one).toBe('ab');
  for (const one of '\u000b\u001c\u001f\u0085') expect(await (await printable(page(`a${one}b`))).text()).toBe('a b');
  expect(await (await printable(page(allowed))).text()).toBe(allowed);
});

test('what is no page stays as it is', async () => {
  const json = page('"\u0085"', 'application/json');
  expect(await printable(json)).toBe(json);
});
