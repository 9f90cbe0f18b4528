import { expect, it } from 'vitest';
import { setLanguage } from '../messages/language.ts';
import { addressField, newsletterActionSchema } from './subscriber-forms.ts';

it.each([
  [' Ann@Example.COM ', 'Ann@example.com'],
  ['ann+ink@example.com', 'ann+ink@example.com'],
  ['ann@Tinte-Büro.DE', 'ann@tinte-büro.de'],
  ['ann@xn--tinte-bro-w9a.de', 'ann@xn--tinte-bro-w9a.de'],
  ['ann@भारत.भारत', 'ann@भारत.भारत'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  [`a@${`${'b'.repeat(61)}.`.repeat(4)}dear`, `a@${`${'b'.repeat(61)}.`.repeat(4)}dear`],
])('an address of a subscriber may be %j', (given, expected) => expect(addressField.parse(given)).toBe(expected));

it.each([
  '',
  'ann',
  'ann@localhost',
  'ann@127.0.0.1',
  '@example.com',
  'ann@',
  'ann@@example.com',
  'ann@example..com',
  'ann@-example.com',
  '.ann@example.com',
  'ann@example.com, bo@example.com',
  'ann@example.com\r\nBcc: bo@example.com',
  'a\0nn@example.com',
  'Ann <ann@example.com>',
  '"ann bo"@example.com',
  'änn@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${`${'b'.repeat(61)}.`.repeat(4)}dearer`,
  `${'a.'.repeat(100_000)}@example.com`,
])('an address of a subscriber cannot be %.40j', (given) => expect(addressField.safeParse(given).success).toBe(false));

it('says what is wrong in the language that the site has at that moment', () => {
  const fault = () => addressField.safeParse('ann').error?.issues.map(({ message }) => message);
  expect(fault()).toEqual(['Enter an address such as name@example.com.']);
  setLanguage('de');
  expect(fault()).toEqual(['Eine Adresse wie name@example.com eingeben.']);
  setLanguage('en');
});

it('takes only the actions it knows', () => {
  const isTaken = (action: unknown) => newsletterActionSchema.safeParse(action).success;
  expect(isTaken({ action: 'add', address: 'ann@example.com' })).toBe(true);
  expect(isTaken({ action: 'remove', id: 'a'.repeat(32) })).toBe(true);
  expect(isTaken({ action: 'remove', id: '../x' })).toBe(false);
  expect(isTaken({ action: 'import', csv: 'a'.repeat(8 * 1024 * 1024 + 1) })).toBe(false);
  expect(isTaken({ action: 'send' })).toBe(false);
});
