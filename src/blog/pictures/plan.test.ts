import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { LONGEST_EDGE, planFor } from './plan.ts';

const drawn = (width = 60, height = 40): Sharp =>
  sharp({ create: { width, height, channels: 4, background: { r: 90, g: 120, b: 60, alpha: 0.5 } } });
const bytesOf = async (picture: Sharp) => new Uint8Array(await picture.toBuffer());
/** Metadata that reveals the camera and the location. */
const telling = { IFD0: { Make: 'Camera of a writer' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const keptBytes = (bytes: Uint8Array<ArrayBuffer>) => {
  const plan = planFor(bytes);
  if (plan.kind !== 'keep') throw new Error(`The plan is ${plan.kind}.`);
  return plan;
};
const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

it('a JPEG with nothing to hide is uploaded byte for byte', async () => {
  const bytes = await bytesOf(drawn().jpeg());
  expect(keptBytes(bytes).bytes).toBe(bytes);
  expect(keptBytes(bytes)).toMatchObject({ width: 60, height: 40 });
});

it('a JPEG loses camera, place, XMP and comments, and not one pixel', async () => {
  const bytes = await bytesOf(drawn().jpeg().withExif(telling).withXmp('<x:xmpmeta>Where I live</x:xmpmeta>'));
  expect(text(bytes)).toContain('Camera of a writer');
  expect(text(bytes)).toContain('Where I live');
  const { bytes: clean } = keptBytes(bytes);
  expect(text(clean)).not.toMatch(/Exif|Camera|Where I live/);
  expect(await pixels(clean)).toEqual(await pixels(bytes));
});

it('a JPEG keeps its colour profile', async () => {
  const { bytes } = keptBytes(await bytesOf(drawn().jpeg().withIccProfile('p3').withExif(telling)));
  expect((await sharp(bytes).metadata()).icc).toBeDefined();
});

it('a JPEG loses what hangs behind it: a second picture, a film', async () => {
  const bytes = await bytesOf(drawn().jpeg());
  const longer = new Uint8Array([...bytes, ...Buffer.from('MotionPhoto with a place')]);
  expect(keptBytes(longer).bytes).toEqual(bytes);
});

it('a JPEG in progressive form is read through all its scans', async () => {
  const bytes = await bytesOf(drawn(300, 200).jpeg({ progressive: true }).withExif(telling));
  const { bytes: clean } = keptBytes(bytes);
  expect(await pixels(clean)).toEqual(await pixels(bytes));
});

it.each([3, 6, 8])('a JPEG with orientation %i is drawn anew', async (orientation) => {
  const plan = planFor(await bytesOf(drawn().jpeg().withMetadata({ orientation })));
  expect(plan).toEqual({ kind: 'draw', type: 'image/jpeg' });
});

it('a JPEG is drawn anew beyond the longest edge, and not one pixel before', async () => {
  expect(planFor(await bytesOf(drawn(LONGEST_EDGE, 10).jpeg()))).toMatchObject({ kind: 'keep', width: LONGEST_EDGE });
  expect(planFor(await bytesOf(drawn(LONGEST_EDGE + 1, 10).jpeg())).kind).toBe('draw');
  expect(planFor(await bytesOf(drawn(10, LONGEST_EDGE + 1).jpeg())).kind).toBe('draw');
});

it('a JPEG that breaks off is left to the browser to read', async () => {
  const bytes = await bytesOf(drawn().jpeg());
  for (const length of [3, 20, bytes.length - 2]) expect(planFor(bytes.slice(0, length)).kind).toBe('draw');
});

it('a PNG loses its texts, EXIF and time, and not one pixel', async () => {
  const bytes = await bytesOf(drawn().png().withExif(telling).withXmp('<x:xmpmeta>Where I live</x:xmpmeta>'));
  const { bytes: clean } = keptBytes(bytes);
  expect(clean.length).toBeLessThan(bytes.length);
  expect(text(clean)).not.toMatch(/eXIf|iTXt|Camera|Where I live/);
  expect(await pixels(clean)).toEqual(await pixels(bytes));
  expect((await sharp(clean).metadata()).hasAlpha).toBe(true);
});

it('a PNG that is larger than pages show is drawn anew as a PNG', async () =>
  expect(planFor(await bytesOf(drawn(LONGEST_EDGE + 1, 10).png()))).toEqual({ kind: 'draw', type: 'image/png' }));

it('a PNG that moves stays as it is', async () => {
  const bytes = await bytesOf(drawn(LONGEST_EDGE + 40, 10).png());
  // An acTL chunk after the 33 bytes of signature and IHDR makes the file an APNG.
  const chunk = [0, 0, 0, 8, ...Buffer.from('acTL'), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
  const moving = new Uint8Array([...bytes.slice(0, 33), ...chunk, ...bytes.slice(33)]);
  expect(keptBytes(moving)).toMatchObject({ width: LONGEST_EDGE + 40, height: 10 });
});

it('a GIF stays as it is, with its size', async () => {
  const bytes = await bytesOf(drawn(LONGEST_EDGE + 40, 10).gif());
  expect(keptBytes(bytes).bytes).toBe(bytes);
  expect(keptBytes(bytes)).toMatchObject({ width: LONGEST_EDGE + 40, height: 10 });
});

it('no picture is refused, also when it is called one', () => {
  const fault = 'Choose a PNG, JPG, JPEG or GIF image.';
  expect(planFor(new TextEncoder().encode('<svg/>'))).toEqual({ kind: 'refuse', fault });
});

it('a GIF above the limit is refused with its size', async () => {
  const bytes = new Uint8Array(10_000_001);
  bytes.set(await bytesOf(drawn().gif()));
  expect(planFor(bytes)).toMatchObject({ kind: 'refuse', fault: expect.stringMatching(/at most 10 MB/) });
});

it('a picture of more pixels than browsers bear is refused before one is decoded', async () => {
  const bytes = await bytesOf(drawn().png());
  new DataView(bytes.buffer).setUint32(16, 60_000);
  new DataView(bytes.buffer).setUint32(20, 60_000);
  expect(planFor(bytes)).toMatchObject({ kind: 'refuse', fault: expect.stringMatching(/60,000 × 60,000/) });
});
