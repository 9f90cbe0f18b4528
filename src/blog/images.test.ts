import { expect, it } from 'vitest';
import * as images from './images.ts';

const { choicesFor, filesShownIn, fileUrl, IMAGE_MAX_BYTES, imageFault, imageType, isSitePreview, secureAddress } =
  images;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const site = { endpoint: '/v1', projectId: 'common-ink', bucketId: 'media' };
const file = (bytes: number[], size = bytes.length) =>
  new Blob([Uint8Array.from(bytes), new Uint8Array(size - bytes.length)]);

it('pictures are known by content, whatever their name', () => {
  const types = [PNG, [0xff, 0xd8, 0xff, 0xe0], Buffer.from('GIF89a'), Buffer.from('just words'), []].map((bytes) =>
    imageType(Uint8Array.from(bytes)),
  );
  expect(types).toEqual(['png', 'jpg', 'gif', undefined, undefined]);
});

it('pictures may have 10 MB and not a byte more', async () => {
  expect(await imageFault(file(PNG, IMAGE_MAX_BYTES))).toBeUndefined();
  expect(await imageFault(file(PNG, 20_000_000))).toBe('Choose an image of at most 10 MB; this one is 20 MB.');
  expect(await imageFault(file(PNG, IMAGE_MAX_BYTES + 1))).toMatch(/^Choose an image of at most 10 MB/);
});

it('pictures have addresses for viewing, downloading and smaller sizes', () => {
  expect(fileUrl(site, 'f1', 'view')).toBe('/v1/storage/buckets/media/files/f1/view?project=common-ink');
  expect(fileUrl(site, 'f1', 'download')).toMatch(/\/f1\/download\?project=common-ink$/);
  expect(images.previewUrl(site, 'f1', { width: 800, height: 533 })).toBe(
    '/v1/storage/buckets/media/files/f1/preview?width=800&height=533&output=webp&project=common-ink',
  );
});

it('pictures in a text are found once each, and only those of the bucket', () => {
  const html = `<img src="${fileUrl(site, 'a', 'view')}"><img src="https://x.test${fileUrl(site, 'b.c', 'view')}">
      <img src="${fileUrl(site, 'a', 'view')}"><img src="${fileUrl({ ...site, bucketId: 'other' }, 'd', 'view')}"><img src="/a.png">`;
  expect(filesShownIn(html, 'media')).toEqual(['a', 'b.c']);
});

const path = '/v1/storage/buckets/media/files/f1';
const view = `${path}/view?project=common-ink`;
const preview = (width: number) => `${path}/preview?width=${width}&project=common-ink ${width}w`;

it('a picture of the site in a text has smaller forms, never larger than itself', () => {
  expect(choicesFor(view, 1000)).toEqual({
    srcSet: `${preview(480)}, ${preview(640)}, ${preview(960)}, ${view} 1000w`,
    fallback: `${view} ${path}/download?project=common-ink`,
  });
  expect(choicesFor(view, 4000)?.srcSet).toBe([480, 640, 960, 1440].map(preview).join(', '));
});

it('a picture of the site in a text has no smaller forms when it is small, of unknown size, or elsewhere', () => {
  for (const width of [0, Number.NaN, 480]) expect(choicesFor(view, width)).toBeUndefined();
  expect(choicesFor('https://example.com/v1/storage/buckets/b/files/f/view?project=p', 1000)).toBeUndefined();
  expect(choicesFor(`${view}&x=1`, 1000)).toBeUndefined();
});

it('a picture of the site is made in the sizes of pages alone', () => {
  const isMade = (size: string, output = 'avif') => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return isSitePreview({ width, height, output });
  };
  const allowed = ['320x213', '960x640', '1920x1280', '480x0'];
  const refused = ['0x0', '321x214', '960x641', '4000x0', '1200x630', '1200x0'];
  expect([...allowed, ...refused].filter((size) => isMade(size))).toEqual(allowed);
  expect(isMade('1200x630', 'jpg')).toBe(true);
});

it('the address of a picture of another site is one by https, which browsers show on every page', () => {
  const other = secureAddress('http://other.test/a.png?http://x', 'https://blog.test');
  expect(other).toBe('https://other.test/a.png?http://x');
  expect(secureAddress('HTTP://other.test/a.png', 'http://localhost:4321')).toBe('https://other.test/a.png');
  expect(secureAddress('http://blog.test.evil/a.png', 'http://blog.test')).toBe('https://blog.test.evil/a.png');
});

it('the address of a picture of another site stays where it is safe, or the site’s own', () => {
  for (const src of [
    'https://other.test/a.png',
    '/v1/storage/buckets/media/files/f1/view?project=p',
    'http://localhost:4321/a.png',
    'http://localhost:9000/v1/storage/buckets/media/files/f1/view?project=p',
  ])
    expect(secureAddress(src, 'http://localhost:4321')).toBe(src);
});
