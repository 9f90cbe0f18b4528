import { describe, expect, it } from 'vitest';
import { cleanFileName, extensionOf } from './file-name.ts';

describe('cleanFileName', () => {
  it('drops folders of either system', () => {
    expect(cleanFileName('/etc/passwd')).toBe('passwd');
    expect(cleanFileName('C:\\Users\\ann\\cat.png')).toBe('cat.png');
    expect(cleanFileName('../../cat.png')).toBe('cat.png');
  });

  it('drops line breaks and other control characters', () => {
    expect(cleanFileName('a\r\nSet-Cookie: x\u0000.png')).toBe('aSet-Cookie: x.png');
  });

  it('keeps every script and quotes', () => {
    expect(cleanFileName('日本 "語".png')).toBe('日本 "語".png');
  });

  it('is never empty', () => {
    expect(cleanFileName('')).toBe('file');
    expect(cleanFileName('uploads/')).toBe('file');
  });

  it('is cut to 255 with its extension', () => {
    expect(cleanFileName(`${'a'.repeat(251)}.png`)).toHaveLength(255);
    const cut = cleanFileName(`${'a'.repeat(300)}.png`);
    expect(cut).toHaveLength(255);
    expect(cut.endsWith('a.png')).toBe(true);
  });
});

describe('extensionOf', () => {
  it('is lower-case, and empty without a dot', () => {
    expect(extensionOf('A.B.PNG')).toBe('png');
    expect(extensionOf('README')).toBe('');
  });
});
