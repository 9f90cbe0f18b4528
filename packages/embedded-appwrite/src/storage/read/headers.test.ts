import { expect, it } from 'vitest';
import type { FileRecord } from '../files/file.ts';
import { contentDisposition, downloadHeaders, viewHeaders } from './headers.ts';

const file = (mimeType: string, name = 'a.png') => ({ mimeType, name }) as FileRecord;

it.each([
  ['a.png', 'filename="a.png"'],
  ["l'été.png", "filename=\"l'_t_.png\"; filename*=UTF-8''l%27%C3%A9t%C3%A9.png"],
  ['a";x="b\\.png', 'filename="a_;x=_b_.png"; filename*=UTF-8\'\'a%22%3Bx%3D%22b%5C.png'],
  ['a\ud83d.png', 'filename="a_.png"; filename*=UTF-8\'\'a%EF%BF%BD.png'],
])('writes the name %j so that nothing can follow it', (name, written) =>
  expect(contentDisposition('inline', name)).toBe(`inline; ${written}`),
);

const TYPES = 'image/svg+xml text/html application/json application/zip text/xml application/xhtml+xml'.split(' ');
it.each(TYPES)('shows %s as text in a sandbox without scripts, and downloads it as what it is', (mimeType) => {
  const policy = { 'Content-Security-Policy': 'script-src none; sandbox;', 'X-Content-Type-Options': 'nosniff' };
  expect(viewHeaders(file(mimeType))).toMatchObject({ 'Content-Type': 'text/plain', ...policy });
  expect(downloadHeaders(file(mimeType))['Content-Type']).toBe(mimeType);
});

it('shows a PDF without a sandbox, in which its viewer would not open', () => {
  const headers = { 'Content-Type': 'application/pdf', 'Content-Security-Policy': 'script-src none;' };
  expect(viewHeaders(file('application/pdf'))).toMatchObject(headers);
});
