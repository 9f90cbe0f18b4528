import { invalid, optional, range, type Validator, validator, whitelist } from '../../http/params.ts';
import type { Values } from '../../http/route.ts';

const GRAVITIES = [
  ...(['center', 'top-left', 'top', 'top-right', 'left'] as const),
  ...(['right', 'bottom-left', 'bottom', 'bottom-right'] as const),
] as const;

const OUTPUTS = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic', 'avif'] as const;
/** Excludes HEIC, because sharp's prebuilt binaries have no encoder for it. */
export type Output = Exclude<(typeof OUTPUTS)[number], 'heic' | 'jpeg'>;

const outputText = whitelist(OUTPUTS);
const output: Validator<Output | ''> = {
  description: outputText.description,
  read(raw, caller) {
    if (raw === '') return '';
    const format = outputText.read(raw, caller);
    if (format === 'heic') {
      throw invalid('This server cannot write heic pictures. Ask for avif, webp, jpg, png or gif instead');
    }
    return format === 'jpeg' ? 'jpg' : format;
  },
};

const HEX = /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const colour = validator('Value must be a valid Hex color code', (raw) =>
  typeof raw === 'string' && (raw === '' || HEX.test(raw)) ? raw.toLowerCase() : undefined,
);

export const PREVIEW_PARAMS = {
  /** In pixels. A side of 0 keeps the aspect ratio. If both sides are set, the picture is cropped to their ratio. */
  width: optional(range(0, 4000), 0),
  height: optional(range(0, 4000), 0),
  gravity: optional(whitelist(GRAVITIES), 'center' as const),
  /** −1 stands for the encoder's default. */
  quality: optional(range(-1, 100), -1),
  borderWidth: optional(range(0, 100), 0),
  borderColor: optional(colour, ''),
  borderRadius: optional(range(0, 4000), 0),
  opacity: optional(range(0, 1, { float: true }), 1),
  /** In degrees, clockwise. */
  rotation: optional(range(-360, 360), 0),
  background: optional(colour, ''),
  /** Empty to use the file's own extension. */
  output: optional(output, '' as const),
};

export type PreviewPlan = Readonly<Omit<Values<typeof PREVIEW_PARAMS>, 'output'> & { output: Output }>;

export const MEDIA_TYPES: Readonly<Record<Output, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

export function defaultOutput(extension: string): Output {
  if (extension === 'png' || extension === 'gif' || extension === 'webp' || extension === 'avif') return extension;
  return 'jpg';
}

export function planName(plan: PreviewPlan): string {
  let name = `${plan.width}x${plan.height}`;
  if (plan.width > 0 && plan.height > 0 && plan.gravity !== 'center') name += `-${plan.gravity}`;
  if (plan.quality >= 0) name += `-q${plan.quality}`;
  if (plan.opacity < 1) name += `-o${plan.opacity}`;
  if (plan.background) name += `-g${plan.background}`;
  if (plan.borderWidth > 0) name += `-b${plan.borderWidth}.${plan.borderColor}`;
  if (plan.borderRadius > 0) name += `-r${plan.borderRadius}`;
  if (plan.rotation % 360 !== 0) name += `-t${plan.rotation}`;
  return `${name}.${plan.output}`;
}
