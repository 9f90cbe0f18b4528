/** Renders a preview: crop, opacity, background, border, rounded corners, rotation, in this order (contract 2.7). */
import sharp, { type OverlayOptions, type Sharp, type SharpOptions } from 'sharp';
import { AppwriteError } from '../../http/errors.ts';
import type { PreviewPlan } from './parameters.ts';

/** Maximum pixels of a picture, in all frames together: a few kilobytes can decode to gigabytes. */
const INPUT_PIXELS = 100_000_000;
/** Maximum pixels of a preview, unless the caller sets a lower limit. */
const OUTPUT_PIXELS = 50_000_000;
/** Maximum pixels of a scaled animation, in all frames together: choosing each frame's palette is slow. */
const MOVING_PIXELS = 5_000_000;
const SECONDS = 30;

const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };
const OPTIONS: SharpOptions = { limitInputPixels: INPUT_PIXELS, failOn: 'error', sequentialRead: true };

function targetSize(plan: PreviewPlan, width: number, height: number): { width: number; height: number } {
  if (plan.width > 0 && plan.height > 0) return { width: plan.width, height: plan.height };
  if (plan.width > 0) return { width: plan.width, height: Math.max(1, Math.round((plan.width * height) / width)) };
  if (plan.height > 0) return { width: Math.max(1, Math.round((plan.height * width) / height)), height: plan.height };
  return { width, height };
}

function within(target: { width: number; height: number }, width: number, height: number) {
  const scale = Math.min(1, width / target.width, height / target.height);
  const of = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: of(target.width), height: of(target.height) };
}

function pixelsOf({ width, height }: { width: number; height: number }, plan: PreviewPlan): number {
  const radians = (plan.rotation * Math.PI) / 180;
  const [sine, cosine] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))];
  const [w, h] = [width + 2 * plan.borderWidth, height + 2 * plan.borderWidth];
  return Math.floor(w * cosine + h * sine) * Math.floor(w * sine + h * cosine);
}

function hasEffects(plan: PreviewPlan): boolean {
  return (
    plan.opacity < 1 ||
    plan.background !== '' ||
    plan.borderWidth > 0 ||
    plan.borderRadius > 0 ||
    plan.rotation % 360 !== 0
  );
}

interface Pixels {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

function rawPixels(image: Sharp): Promise<Pixels> {
  return image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
}

function fromPixels({ data, info }: Pixels): Sharp {
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

function keepWhere(overlay: OverlayOptions) {
  return (image: Sharp) => image.composite([{ ...overlay, blend: 'dest-in' }]);
}

function roundedRectangle(width: number, height: number, radius: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" rx="${radius}" ry="${radius}"/></svg>`,
  );
}

/** Runs as many steps per pipeline as sharp's fixed order allows, because each pipeline copies the decoded picture. */
async function withEffects(image: Sharp, plan: PreviewPlan): Promise<Sharp> {
  const veil = {
    create: { width: 1, height: 1, channels: 4 as const, background: { ...TRANSPARENT, alpha: plan.opacity } },
  };
  let pixels = await rawPixels(plan.opacity < 1 ? keepWhere({ input: veil, tile: true })(image) : image);
  const side = plan.borderWidth;
  if (plan.background || side > 0 || plan.borderRadius > 0) {
    const framed = fromPixels(pixels);
    const { width, height } = pixels.info;
    if (plan.background) framed.flatten({ background: `#${plan.background}` });
    if (side > 0) {
      const background = plan.borderColor ? `#${plan.borderColor}` : TRANSPARENT;
      framed.extend({ top: side, bottom: side, left: side, right: side, background });
    }
    if (plan.borderRadius > 0) {
      keepWhere({ input: roundedRectangle(width + 2 * side, height + 2 * side, plan.borderRadius) })(framed);
    }
    pixels = await rawPixels(framed);
  }
  if (plan.rotation % 360 === 0) return fromPixels(pixels);
  return fromPixels(await rawPixels(fromPixels(pixels).rotate(plan.rotation, { background: TRANSPARENT })));
}

function encode(image: Sharp, { output, quality }: PreviewPlan): Promise<Buffer> {
  const given = quality < 0 ? {} : { quality: Math.max(1, quality) };
  switch (output) {
    case 'jpg':
      return image
        .flatten({ background: '#ffffff' })
        .jpeg({ ...given, mozjpeg: false })
        .toBuffer();
    case 'webp':
      return image.webp(given).toBuffer();
    case 'avif':
      // Effort 0 takes a fifth of the time of effort 2 for 10% more bytes, and beats WebP in both time and bytes.
      return image.avif({ ...given, effort: 0 }).toBuffer();
    case 'gif':
      // Effort 2 takes a quarter of the default effort's time and produces the same number of bytes.
      return image.gif({ effort: 2 }).toBuffer();
    case 'png':
      // PNG quality is the inverse of compression: 100 is fastest and largest.
      return image.png(quality < 0 ? {} : { compressionLevel: 9 - Math.round((quality / 100) * 9) }).toBuffer();
  }
}

/**
 * Renders a picture upright and without metadata. An animated GIF stays animated if the preview is a GIF without
 * effects; it is returned unchanged if scaling it would be slow or save no bytes. If `enlarge` is false, the result is
 * no larger than the source. Throws 400 `storage_file_type_unsupported` for a broken picture, and
 * `storage_image_resolution_exceeded` if a pixel limit, such as `most`, is exceeded.
 */
export async function renderPreview(
  source: Buffer,
  plan: PreviewPlan,
  { enlarge = true, most = OUTPUT_PIXELS }: { readonly enlarge?: boolean; readonly most?: number } = {},
): Promise<Buffer> {
  const found = await sharp(source, { ...OPTIONS, limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!found?.format || !found.autoOrient || !FORMATS.has(found.format))
    throw new AppwriteError('storage_file_type_unsupported');
  const effects = hasEffects(plan);
  const frames = plan.output === 'gif' && found.format === 'gif' && !effects ? (found.pages ?? 1) : 1;
  const { width, height } = found.autoOrient;
  const asked = targetSize(plan, width, height);
  const target = enlarge ? asked : within(asked, width, height);
  const isMoving = frames > 1;
  if (isMoving && Math.max(width * height, target.width * target.height) * frames > MOVING_PIXELS) return source;
  if (
    width * height * frames > INPUT_PIXELS ||
    pixelsOf(target, plan) * frames > Math.max(isMoving ? MOVING_PIXELS : 0, most)
  ) {
    throw new AppwriteError('storage_image_resolution_exceeded');
  }
  try {
    const image = sharp(source, { ...OPTIONS, animated: isMoving })
      .timeout({ seconds: SECONDS })
      .autoOrient();
    if (plan.width > 0 || plan.height > 0) {
      // sharp's `left top` is the contract's `top-left`.
      image.resize({ ...target, fit: 'cover', position: plan.gravity.split('-').reverse().join(' ') });
    }
    const made = await encode(effects ? await withEffects(image, plan) : image, plan);
    const isSmaller = target.width <= width && target.height <= height;
    return isMoving && isSmaller && made.length >= source.length ? source : made;
  } catch (error) {
    // A timeout does not mean that the picture is broken.
    if (error instanceof Error && error.message.startsWith('timeout')) throw error;
    throw new AppwriteError('storage_file_type_unsupported', 'The picture cannot be decoded.', { cause: error });
  }
}
