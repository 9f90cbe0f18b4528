import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { picturesOfRtf } from './rtf.ts';

const PNG = '89504e470d0a1a0a';
const JPEG = 'ffd8ffdb00430014';
const fixture = (name: string) =>
  readFileSync(new URL(`../../../../../tests/editor/pastes/${name}`, import.meta.url), 'utf8');
const told = (rtf: string) =>
  Promise.all(
    picturesOfRtf(rtf).map(
      async (file) => file && `${file.type} ${Buffer.from(await file.bytes()).toString('hex', 0, 8)}`,
    ),
  );

test.each(['word-pictures.rtf', 'libreoffice-pictures.rtf'])('%s: its pictures in order, each once', async (name) =>
  expect(await told(fixture(name))).toEqual([`image/png ${PNG}`, `image/jpeg ${JPEG}`]),
);

test('a metafile keeps its place', async () => {
  const rtf = `{\\rtf1 {\\pict\\emfblip 0100}{\\*\\shppict{\\pict\\pngblip ${PNG}}}{\\pict\\wmetafile8 0100}}`;
  expect(await told(rtf)).toEqual([undefined, `image/png ${PNG}`, undefined]);
});

test('bytes as they are, which may hold braces, end nothing', async () => {
  const rtf = `{\\rtf1 {\\pict\\pngblip\\bin6 }}\\{{}}{\\pict\\jpegblip ${JPEG.replace(/../g, '$&\r\n')}}}`;
  expect(await told(rtf)).toEqual([undefined, `image/jpeg ${JPEG}`]);
});

test('a broken text has none that can be had', async () => {
  const broken = ['', '}}}', '{\\rtf1', '{\\pict', '{\\pict\\pngblip }', '\\bin99999 {\\pict}', '{\\pict\\pngblip zz}'];
  for (const rtf of broken) expect((await told(rtf)).filter(Boolean), rtf).toEqual([]);
});
