import { expect, it } from 'vitest';
import { addressesIn, WHOLE_ADDRESS } from './link-addresses.ts';

it.each([
  ['https://en.wikipedia.org/wiki/Ink_(disambiguation)', 'https://en.wikipedia.org/wiki/Ink_(disambiguation)'],
  ['(see https://e.com/a_(b)).', 'https://e.com/a_(b)'],
  ['(https://e.com/a)', 'https://e.com/a'],
  ['[https://e.com/a[1]]', 'https://e.com/a[1]'],
  ['https://e.com/a?b=c&d=e#f, and', 'https://e.com/a?b=c&d=e#f'],
  ['Is it https://e.com/a?!', 'https://e.com/a'],
  ['“https://e.com/a”', 'https://e.com/a'],
  ['„https://e.com/a“', 'https://e.com/a'],
  ['見 https://e.com/漢字。次', 'https://e.com/漢字'],
  ['見るhttps://e.com/', 'https://e.com/'],
  ['**https://e.com/a**', 'https://e.com/a'],
  ["it's https://e.com/L’Étranger’s", 'https://e.com/L’Étranger’s'],
])('finds the address in %s', (text, address) => {
  const [found] = addressesIn(text);
  expect(found?.address).toBe(address);
  expect(text.slice(found?.start, found?.end)).toBe(address);
});

it.each(['https://', 'https:///a', 'xhttps://e.com', '`https://e.com`', 'e.com', 'ftp://e.com'])(
  'finds no address in %s',
  (text) => expect(addressesIn(text)).toEqual([]),
);

it('finds all addresses of a text', () => {
  const found = addressesIn('https://a.com/ (https://b.com/) https://c.com/.');
  expect(found.map(({ address }) => address)).toEqual(['https://a.com/', 'https://b.com/', 'https://c.com/']);
});

it('takes time in proportion to a text of brackets', () =>
  expect(addressesIn(`https://e.com/${')'.repeat(20_000)}`)[0]?.address).toBe('https://e.com/'));

it('knows an address as a whole', () => {
  const whole = ['https://e.com/a', 'tel:+49123', 'sms:+49123', 'mailto:a@b.co'];
  const texts = [...whole, 'javascript:alert(1)', 'https://e.com and words'];
  expect(texts.filter((text) => WHOLE_ADDRESS.test(text))).toEqual(whole);
});
