import { describe, expect, it } from 'vitest';
import type { FileRecord } from '../files/file.ts';
import { contentDisposition, downloadHeaders, viewHeaders } from './headers.ts';

const file = (mimeType: string, name = 'a.png') => ({ mimeType, name }) as FileRecord;

describe('contentDisposition', () => {
  it('quotes a plain name', () => {
    expect(contentDisposition('inline', 'a.png')).toBe('inline; filename="a.png"');
  });

  it('gives names beyond ASCII in the form of RFC 5987', () => {
    expect(contentDisposition('attachment', "l'été.png")).toBe(
      "attachment; filename=\"l'_t_.png\"; filename*=UTF-8''l%27%C3%A9t%C3%A9.png",
    );
  });

  it('lets no quote or backslash out of the name', () => {
    expect(contentDisposition('inline', 'a";x="b\\.png')).toBe(
      'inline; filename="a_;x=_b_.png"; filename*=UTF-8\'\'a%22%3Bx%3D%22b%5C.png',
    );
  });

  it('survives half a surrogate pair', () => {
    expect(contentDisposition('inline', 'a\ud83d.png')).toContain("filename*=UTF-8''a%EF%BF%BD.png");
  });
});

describe('viewHeaders', () => {
  it('shows a picture as what it is', () => {
    expect(viewHeaders(file('image/png'))).toMatchObject({
      'Content-Type': 'image/png',
      'Content-Disposition': 'inline; filename="a.png"',
      'Cache-Control': 'private, max-age=3888000',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  it.each(['image/svg+xml', 'text/html', 'application/json', 'application/zip', 'text/xml', 'application/xhtml+xml'])(
    'shows %s as text, without script, in a sandbox',
    (mimeType) => {
      const headers = viewHeaders(file(mimeType));
      expect(headers['Content-Type']).toBe('text/plain');
      expect(headers['Content-Security-Policy']).toBe('script-src none; sandbox;');
    },
  );
});

describe('downloadHeaders', () => {
  it('tells the real type', () => {
    expect(downloadHeaders(file('text/html', 'a.html'))).toMatchObject({
      'Content-Type': 'text/html',
      'Content-Disposition': 'attachment; filename="a.html"',
    });
  });
});
