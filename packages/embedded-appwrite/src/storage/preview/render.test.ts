import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PreviewPlan } from './parameters.ts';
import { renderPreview, UnreadableImage } from './render.ts';

const PLAN: PreviewPlan = {
  width: 0,
  height: 0,
  gravity: 'center',
  quality: -1,
  borderWidth: 0,
  borderColor: '',
  borderRadius: 0,
  opacity: 1,
  rotation: 0,
  background: '',
  output: 'png',
};

/** Returns an image of 80 × 40 pixels, the left half red, the right half blue. */
async function halves(): Promise<Buffer> {
  const blue = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 80, height: 40, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 40, top: 0 }])
    .png()
    .toBuffer();
}

async function pixel(picture: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * 4;
  return [...data.subarray(at, at + 4)];
}

async function render(source: Buffer, plan: Partial<PreviewPlan>) {
  const body = await renderPreview(source, { ...PLAN, ...plan });
  const { width, height, format } = await sharp(body).metadata();
  return { body, width, height, format };
}

describe('size', () => {
  it('keeps the aspect ratio when one side is given', async () => {
    expect(await render(await halves(), { width: 20 })).toMatchObject({ width: 20, height: 10 });
    expect(await render(await halves(), { height: 20 })).toMatchObject({ width: 40, height: 20 });
  });

  it('covers and crops when both are given, enlarging if need be', async () => {
    const { body, ...size } = await render(await halves(), { width: 100, height: 100 });
    expect(size).toMatchObject({ width: 100, height: 100 });
    expect(await pixel(body, 5, 50)).toEqual([255, 0, 0, 255]);
    expect(await pixel(body, 95, 50)).toEqual([0, 0, 255, 255]);
  });

  it('keeps within the picture where it is told so, in the shape that was asked for', async () => {
    const sizeOf = async (plan: Partial<PreviewPlan>) => {
      const { width, height } = await sharp(
        await renderPreview(await halves(), { ...PLAN, ...plan }, { enlarge: false }),
      ).metadata();
      return [width, height];
    };
    expect(await sizeOf({ width: 480, height: 320 })).toEqual([60, 40]);
    expect(await sizeOf({ width: 480 })).toEqual([80, 40]);
    expect(await sizeOf({ width: 30, height: 20 })).toEqual([30, 20]);
  });

  it('crops where gravity pulls', async () => {
    const { body } = await render(await halves(), { width: 20, height: 20, gravity: 'right' });
    expect(await pixel(body, 1, 10)).toEqual([0, 0, 255, 255]);
  });

  it('turns the picture as its orientation tag says', async () => {
    const lying = await sharp(await halves())
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await render(lying, { width: 20 })).toMatchObject({ width: 20, height: 40 });
    const { orientation } = await sharp(await renderPreview(lying, PLAN)).metadata();
    expect(orientation).toBeUndefined();
  });
});

describe('effects', () => {
  it('makes the picture translucent', async () => {
    const { body } = await render(await halves(), { opacity: 0.5 });
    const [red, , , alpha = 0] = await pixel(body, 1, 1);
    expect(red).toBe(255);
    expect(Math.abs(alpha - 128)).toBeLessThan(2);
  });

  it('puts a background behind what is translucent', async () => {
    const { body } = await render(await halves(), { opacity: 0, background: '00ff00' });
    expect(await pixel(body, 1, 1)).toEqual([0, 255, 0, 255]);
  });

  it('draws a border around the picture', async () => {
    const { body, ...size } = await render(await halves(), { borderWidth: 3, borderColor: '0f0' });
    expect(size).toMatchObject({ width: 86, height: 46 });
    expect(await pixel(body, 1, 1)).toEqual([0, 255, 0, 255]);
    expect(await pixel(body, 4, 4)).toEqual([255, 0, 0, 255]);
  });

  it('rounds the corners', async () => {
    const { body } = await render(await halves(), { borderRadius: 15 });
    expect((await pixel(body, 0, 0))[3]).toBe(0);
    expect(await pixel(body, 20, 20)).toEqual([255, 0, 0, 255]);
  });

  it('rotates, leaving the corners clear', async () => {
    expect(await render(await halves(), { rotation: 90 })).toMatchObject({ width: 40, height: 80 });
    const { body } = await render(await halves(), { rotation: 45 });
    expect((await pixel(body, 0, 0))[3]).toBe(0);
  });
});

describe('output', () => {
  it.each([
    ['jpg', 'jpeg'],
    ['png', 'png'],
    ['gif', 'gif'],
    ['webp', 'webp'],
    ['avif', 'heif'],
  ] as const)('writes %s', async (output, format) => {
    expect(await render(await halves(), { output, quality: 60 })).toMatchObject({ format });
  });

  it('takes every quality', async () => {
    for (const output of ['jpg', 'png', 'webp', 'avif'] as const) {
      for (const quality of [0, 100]) expect(await render(await halves(), { output, quality })).toBeDefined();
    }
  });

  it('makes transparency white where the format has none', async () => {
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const { body } = await render(clear, { output: 'jpg' });
    expect(await pixel(body, 4, 4)).toEqual([255, 255, 255, 255]);
  });

  it('leaves an animation as it is where making it smaller takes long, or gives more bytes', async () => {
    const moving = (frames: number) =>
      sharp(Buffer.concat(Array.from({ length: frames }, (_, at) => Buffer.alloc(400 * 300 * 3, (at % 2) * 200))), {
        raw: { width: 400, height: 300 * frames, channels: 3, pageHeight: 300 },
      })
        .gif({ delay: Array(frames).fill(100) })
        .toBuffer();
    const long = await moving(60);
    expect((await renderPreview(long, { ...PLAN, output: 'gif', width: 320 })).equals(long)).toBe(true);
    const short = await moving(2);
    const smaller = await renderPreview(short, { ...PLAN, output: 'gif', width: 320 });
    expect(smaller.length).toBeLessThanOrEqual(short.length);
  });

  it('keeps an animation only in a GIF', async () => {
    const frames = Buffer.concat([Buffer.alloc(16 * 16 * 3, 255), Buffer.alloc(16 * 16 * 3, 0)]);
    const animation = await sharp(frames, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const pages = async (plan: Partial<PreviewPlan>) =>
      (await sharp(await renderPreview(animation, { ...PLAN, ...plan })).metadata()).pages ?? 1;
    expect(await pages({ output: 'gif', width: 8 })).toBe(2);
    expect(await pages({ output: 'webp', width: 8 })).toBe(1);
    expect(await pages({ output: 'png' })).toBe(1);
  });
});

describe('limits', () => {
  const EXCEEDED = expect.objectContaining({ code: 400, type: 'storage_image_resolution_exceeded' });

  /** Returns a few kilobytes that unpack to `side` × `side` pixels. */
  const bomb = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer();

  it('does not unpack a picture of more than 100 megapixels', async () => {
    await expect(renderPreview(await bomb(10_001), { ...PLAN, width: 10 })).rejects.toThrow(EXCEEDED);
  });

  it('does not make a picture of more than 50 megapixels', async () => {
    const column = await sharp({ create: { width: 1, height: 100, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    await expect(renderPreview(column, { ...PLAN, width: 4000 })).rejects.toThrow(EXCEEDED);
  });

  it('tells broken and foreign bytes apart from pictures', async () => {
    const cut = (await halves()).subarray(0, 60);
    await expect(renderPreview(cut, PLAN)).rejects.toThrow(UnreadableImage);
    await expect(renderPreview(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), PLAN)).rejects.toThrow(
      UnreadableImage,
    );
  });
});
