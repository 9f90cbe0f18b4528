import { describe, expect, it } from 'vitest';
import { filesShownIn, fileUrl, IMAGE_MAX_BYTES, imageFault, imageType, previewUrl } from './images.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const site = { endpoint: '/v1', projectId: 'common-ink', bucketId: 'media' };
const file = (bytes: number[], size = bytes.length) =>
  new Blob([Uint8Array.from(bytes), new Uint8Array(size - bytes.length)]);

describe('pictures', () => {
  it('are known by content, whatever their name', () => {
    expect(imageType(Uint8Array.from(PNG))).toBe('png');
    expect(imageType(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('jpg');
    expect(imageType(new TextEncoder().encode('GIF89a'))).toBe('gif');
    expect(imageType(new TextEncoder().encode('just words'))).toBeUndefined();
    expect(imageType(new Uint8Array())).toBeUndefined();
  });

  it('of another type, and texts named .png, are refused in words', async () => {
    expect(await imageFault(new Blob(['<svg/>']))).toBe('Choose a PNG, JPG, JPEG or GIF image.');
    expect(await imageFault(new Blob([]))).toBe('Choose a PNG, JPG, JPEG or GIF image.');
  });

  it('may have 10 MB and not a byte more', async () => {
    expect(await imageFault(file(PNG, IMAGE_MAX_BYTES))).toBeUndefined();
    expect(await imageFault(file(PNG, 20_000_000))).toBe('Choose an image of at most 10 MB; this one has 20 MB.');
    expect(await imageFault(file(PNG, IMAGE_MAX_BYTES + 1))).toMatch(/^Choose an image of at most 10 MB/);
  });

  it('have addresses for viewing, downloading and smaller sizes', () => {
    expect(fileUrl(site, 'f1', 'view')).toBe('/v1/storage/buckets/media/files/f1/view?project=common-ink');
    expect(fileUrl(site, 'f1', 'download')).toMatch(/\/f1\/download\?project=common-ink$/);
    expect(previewUrl(site, 'f1', { width: 800, height: 533 })).toBe(
      '/v1/storage/buckets/media/files/f1/preview?width=800&height=533&output=webp&project=common-ink',
    );
  });

  it('in a text are found once each, and only those of the bucket', () => {
    const html = `<img src="${fileUrl(site, 'a', 'view')}"><img src="https://x.test${fileUrl(site, 'b.c', 'view')}">
      <img src="${fileUrl(site, 'a', 'view')}"><img src="${fileUrl({ ...site, bucketId: 'other' }, 'd', 'view')}"><img src="/a.png">`;
    expect(filesShownIn(html, 'media')).toEqual(['a', 'b.c']);
  });
});
