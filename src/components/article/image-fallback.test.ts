import { expect, it } from 'vitest';
import { fallBackToDownload } from './image-fallback.ts';

it('a picture takes one address after the other, then gives way to its frame', () => {
  let choices = true;
  const image = {
    dataset: { fallback: '/view /download' },
    src: '/preview',
    hidden: false,
    removeAttribute: (name: string) => {
      if (name === 'srcset') choices = false;
    },
  };
  const seen = [1, 2, 3].map(() => {
    fallBackToDownload(image as unknown as HTMLImageElement);
    return [image.src, image.hidden, 'lost' in image.dataset];
  });
  expect(seen).toEqual([
    ['/view', false, false],
    ['/download', false, false],
    ['/download', true, true],
  ]);
  expect(choices).toBe(false);
});

it('a picture in a text keeps its description', () => {
  for (const dataset of [{}, { fallback: '' }]) {
    const image = { dataset, src: '/gone', alt: 'A drawing', hidden: false };
    fallBackToDownload(image as unknown as HTMLImageElement);
    expect(image.hidden).toBe(false);
  }
});
