import { expect, it } from 'vitest';
import { cleanFileName, extensionOf } from './file-name.ts';

it.each([
  ['/etc/passwd', 'passwd'],
  ['C:\\Users\\ann\\cat.png', 'cat.png'],
  ['../../cat.png', 'cat.png'],
  ['a\r\nSet-Cookie: x\u0000.png', 'aSet-Cookie: x.png'],
  ['日本 "語".png', '日本 "語".png'],
  ['', 'file'],
  ['uploads/', 'file'],
  [`${'a'.repeat(251)}.png`, `${'a'.repeat(251)}.png`],
  [`${'a'.repeat(300)}.png`, `${'a'.repeat(251)}.png`],
])('cleans %j', (raw, clean) => expect(cleanFileName(raw)).toBe(clean));

it('returns an extension in lower case, empty without a dot', () =>
  expect(['A.B.PNG', 'README'].map(extensionOf)).toEqual(['png', '']));
