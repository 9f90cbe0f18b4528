import sharp, { type Create } from 'sharp';
import { expect, it } from 'vitest';
import type { PreviewPlan } from './parameters.ts';
import { renderPreview } from './render.ts';

const PLAN: PreviewPlan = {
  ...{ width: 0, height: 0, gravity: 'center', quality: -1, borderWidth: 0, borderColor: '', borderRadius: 0 },
  ...{ opacity: 1, rotation: 0, background: '', output: 'png' },
};

const plain = (width: number, height: number, background: string, channels: Create['channels'] = 3) =>
  sharp({ create: { width, height, channels, background } }).png();

async function halves(): Promise<Buffer> {
  const blue = await plain(40, 40, '#0000ff').toBuffer();
  const picture = plain(80, 40, '#ff0000').composite([{ input: blue, left: 40, top: 0 }]);
  return picture.toBuffer();
}

const moving = (frames: number, width: number, height: number) =>
  sharp(Buffer.concat(Array.from({ length: frames }, (_, at) => Buffer.alloc(width * height * 3, (at % 2) * 200))), {
    raw: { width, height: height * frames, channels: 3, pageHeight: height },
  })
    .gif({ delay: Array(frames).fill(50) })
    .toBuffer();

async function render(plan: Partial<PreviewPlan>, source?: Buffer, options = {}) {
  const body = await renderPreview(source ?? (await halves()), { ...PLAN, ...plan }, options);
  const { width, height, format, orientation, pages = 1 } = await sharp(body).metadata();
  const { data, info } = await sharp(body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { body, size: [width, height], format, orientation, pages, pixel };
}

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];

it.each([
  [{ width: 480, height: 320 }, [60, 40]],
  [{ width: 480 }, [80, 40]],
  [{ width: 30, height: 20 }, [30, 20]],
])('size of %j stays within the picture where enlarging is off', async (plan, size) =>
  expect((await render(plan, undefined, { enlarge: false })).size).toEqual(size),
);

it('size follows the orientation tag, which is dropped', async () => {
  const tagged = sharp(await halves()).withMetadata({ orientation: 6 });
  const lying = await tagged.jpeg().toBuffer();
  expect(await render({ width: 20 }, lying)).toMatchObject({ size: [20, 40], orientation: undefined });
});

it('effects make the picture translucent, over a background', async () => {
  const [red, , , alpha = 0] = (await render({ opacity: 0.5 })).pixel(1, 1);
  expect(red).toBe(255);
  expect(Math.abs(alpha - 128)).toBeLessThan(2);
  expect((await render({ opacity: 0, background: '00ff00' })).pixel(1, 1)).toEqual(GREEN);
});

it('effects draw a border around the picture', async () => {
  const { size, pixel } = await render({ borderWidth: 3, borderColor: '0f0' });
  expect([size, pixel(1, 1), pixel(4, 4)]).toEqual([[86, 46], GREEN, RED]);
});

it('effects round the corners, and rotate, leaving the corners clear', async () => {
  const { pixel } = await render({ borderRadius: 15 });
  expect([pixel(0, 0)[3], pixel(20, 20)]).toEqual([0, RED]);
  expect((await render({ rotation: 90 })).size).toEqual([40, 80]);
  expect((await render({ rotation: 45 })).pixel(0, 0)[3]).toBe(0);
});

it.each(['jpg', 'png', 'gif', 'webp', 'avif'] as const)('output is %s in every quality', async (output) => {
  const format = { jpg: 'jpeg', png: 'png', gif: 'gif', webp: 'webp', avif: 'heif' }[output];
  for (const quality of [0, 60, 100]) expect(await render({ output, quality })).toMatchObject({ format });
});

it('output has white for transparency where the format has none', async () => {
  const clear = await plain(8, 8, '#00000000', 4).toBuffer();
  expect((await render({ output: 'jpg' }, clear)).pixel(4, 4)).toEqual([255, 255, 255, 255]);
});

it('output leaves an animation as it is where scaling takes long or gives more bytes', async () => {
  const long = await moving(60, 400, 300);
  expect((await renderPreview(long, { ...PLAN, output: 'gif', width: 320 })).equals(long)).toBe(true);
  const short = await moving(2, 400, 300);
  const smaller = await renderPreview(short, { ...PLAN, output: 'gif', width: 320 });
  expect(smaller.length).toBeLessThanOrEqual(short.length);
});

it.each([
  ['gif', 2],
  ['webp', 1],
  ['png', 1],
] as const)('output as %s of an animation has %d frame(s)', async (output, pages) =>
  expect(await render({ output, width: 8 }, await moving(2, 16, 16))).toMatchObject({ pages }),
);

const EXCEEDED = expect.objectContaining({ code: 400, type: 'storage_image_resolution_exceeded' });

it('limits refuse to unpack 100 megapixels and to make 50', async () => {
  const bomb = await plain(10_001, 10_001, '#000').toBuffer();
  await expect(renderPreview(bomb, { ...PLAN, width: 10 })).rejects.toThrow(EXCEEDED);
  const column = await plain(1, 100, '#000').toBuffer();
  await expect(renderPreview(column, { ...PLAN, width: 4000 })).rejects.toThrow(EXCEEDED);
});

it('limits tell broken and foreign bytes from pictures', async () => {
  for (const bytes of [(await halves()).subarray(0, 60), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')])
    await expect(renderPreview(bytes, PLAN)).rejects.toMatchObject({ type: 'storage_file_type_unsupported' });
});
