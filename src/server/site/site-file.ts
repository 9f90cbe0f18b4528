/** Reads the operator's `DATA_DIR/site.toml` (docs/theming.md). */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { OperatorError } from '#blog/errors.ts';
import { LANGUAGES } from '#blog/messages/language.ts';
import { pictureSize } from '#blog/site-settings/pictures.ts';
import type { Settings } from '#blog/site-settings/settings.ts';
import {
  COLOUR_NAMES,
  type ColourScheme,
  type ContrastFault,
  completed,
  contrastFaults,
  type Palette,
} from '#blog/theme/colours.ts';
import { DEFAULT_LOOK, LOOKS, lookOf } from '#blog/theme/looks/index.ts';
import { FOOTER_PLACES, type Font, type FontRole, type LogoPicture } from '#blog/theme/theme.ts';
import type { OperatorLayout } from './appearance.ts';

export const SITE_FILE = 'site.toml';

const colour = z
  .string({ error: 'must be a colour in quotes, such as "#8a1c1c"' })
  .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a colour in the form "#rrggbb", such as "#8a1c1c"' })
  .transform((value) => value.toLowerCase());
const section = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
  z.strictObject(shape, { error: `must be written as [${name}], with its settings below` });
const palette = (theme: ColourScheme) =>
  section(`colours.${theme}`, Object.fromEntries(COLOUR_NAMES.map((name) => [name, colour.optional()])));
const file = z
  .string({ error: 'must be the name of a file beside site.toml, in quotes' })
  .refine((name) => /^[\w][\w ./-]*$/.test(name) && !normalize(name).startsWith('..'), {
    error: 'must name a file beside site.toml or in a folder there',
  });
const families = z
  .string({ error: 'must be font families, such as "Georgia, serif"' })
  .regex(/^(?=.{1,200}$)(?:[\w ,-]|"[\w ,'-]*"|'[\w ,"-]*')+$/, {
    error: 'must be font families separated by commas, such as "Georgia, serif"',
  });
const font = z.union(
  [families, z.strictObject({ file, italic: file.optional(), fallback: families.default('serif') })],
  { error: 'must be font families, such as "Georgia, serif", or a table with file, italic and fallback' },
);
const words = (most: number) =>
  z
    .string({ error: 'must be text in quotes' })
    .trim()
    .min(1, { error: 'must not be empty' })
    .regex(/^\P{Cc}*$/u, { error: 'must be text on one line, without control characters' })
    .max(most, { error: `must be at most ${most} characters long` });

const number = (least: number, most: number, unit: string) =>
  z
    .number({ error: `must be a number of ${unit}` })
    .min(least, { error: `must be ${least} to ${most} ${unit}` })
    .max(most, { error: `must be ${least} to ${most} ${unit}` });

const address = z
  .string({ error: 'must be an address in quotes' })
  .regex(/^(?:\/(?![/\\])|https?:\/\/|mailto:)[^\s"<>]*$/, {
    error: 'must begin with / for a page of this site, with https:// or with mailto:',
  });

const looks = LOOKS.map(({ id }) => id);
const schema = z.strictObject({
  name: words(80).optional(),
  tagline: words(300).optional(),
  introduction: words(300).optional(),
  language: z.enum(LANGUAGES, { error: `must be ${LANGUAGES.join(' or ')}` }).optional(),
  logo: z
    .union([file, z.strictObject({ light: file, dark: file })], {
      error: 'must name a file, or a table with the files light and dark',
    })
    .optional(),
  icon: file.optional(),
  look: z.enum(looks, { error: `must be one of ${looks.join(', ')}` }).optional(),
  css: file.optional(),
  colours: section('colours', {
    light: palette('light').optional(),
    dark: palette('dark').optional(),
  }).default({}),
  fonts: section('fonts', { text: font.optional(), interface: font.optional(), code: font.optional() }).default({}),
  layout: section('layout', {
    measure: number(40, 90, 'characters').optional(),
    corners: number(0, 24, 'pixels').optional(),
  }).default({}),
  navigation: z
    .array(
      z.strictObject({
        text: words(40),
        address,
      }),
      { error: 'must be written as [[navigation]], once for each entry' },
    )
    .max(8, { error: 'may have at most 8 entries' })
    .default([]),
  footer: section('footer', Object.fromEntries(FOOTER_PLACES.map((place) => [place, address.optional()]))).default({}),
});

export interface SiteFile {
  /** Settings that the file fixes, so that owners cannot change them on the site. */
  readonly settings: Settings;
  readonly layout: OperatorLayout;
  /** Fonts that the site serves, by URL path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly warnings: readonly string[];
}

const IS_EMPTY = `${SITE_FILE} is empty, so the site has its default look. Put your settings back, or delete the file.`;
const EMPTY_SITE_FILE: SiteFile = {
  settings: {},
  layout: { fonts: {} },
  files: new Map(),
  warnings: [],
};
/** Maximum size of the logo. The limit is low, because every page contains the logo. */
const LOGO_BYTES = 16 * 1024;
const FONT_BYTES = 512 * 1024;
const CSS_BYTES = 32 * 1024;

/** @throws OperatorError naming every invalid setting */
export function readSiteFile(dataDirectory: string): SiteFile {
  const source = contentOf(join(dataDirectory, SITE_FILE));
  if (source === undefined) return EMPTY_SITE_FILE;
  if (source.toString('utf8').trim() === '') return { ...EMPTY_SITE_FILE, warnings: [IS_EMPTY] };
  const parsed = schema.safeParse(tableOf(source.toString('utf8')));
  if (!parsed.success) throw new OperatorError(parsed.error.issues.flatMap(sentences).join('\n'));
  const { logo, icon, css, colours, fonts, layout, navigation, footer, ...texts } = parsed.data;
  const files = new Map<string, Buffer>();
  const open = (key: string, named: string, endings: readonly string[], most: number): Buffer => {
    const where = `${SITE_FILE}: ${key}`;
    if (!endings.includes(extname(named).toLowerCase()))
      throw new OperatorError(`${where} must be a file ending in ${endings.join(' or ')}.`);
    const bytes = contentOf(join(dataDirectory, named));
    if (!bytes) throw new OperatorError(`${where}: there is no file ${named} in ${dataDirectory}.`);
    if (bytes.length > most)
      throw new OperatorError(
        `${where}: ${named} is ${kilobytes(bytes.length)}, but at most ${kilobytes(most)} is allowed.`,
      );
    return bytes;
  };
  const picture = (key: string, named: string): LogoPicture => {
    const bytes = open(key, named, ['.svg', '.png'], LOGO_BYTES);
    const size = pictureSize(bytes);
    if (!size)
      throw new OperatorError(
        `${SITE_FILE}: ${key}: ${named} does not say how large it is. An SVG needs a viewBox, or width and height.`,
      );
    return { src: dataAddress(named, bytes), ...size };
  };
  const served = (key: string, named: string): string => {
    const bytes = open(key, named, ['.woff2'], FONT_BYTES);
    const address = `/_astro/site-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.woff2`;
    files.set(address, bytes);
    return address;
  };
  const fontOf = (voice: FontRole): Font | undefined => {
    const given = fonts[voice];
    if (given === undefined || typeof given === 'string') return given ? { families: given, files: [] } : undefined;
    const faces: Font['files'][number][] = [{ style: 'normal', address: served(`fonts.${voice}.file`, given.file) }];
    if (given.italic) faces.push({ style: 'italic', address: served(`fonts.${voice}.italic`, given.italic) });
    return { families: given.fallback, files: faces };
  };

  const own: Partial<Record<FontRole, Font>> = {};
  for (const voice of ['text', 'interface', 'code'] as const) {
    const chosen = fontOf(voice);
    if (chosen) own[voice] = chosen;
  }
  const logoOf = (named: NonNullable<typeof logo>) =>
    typeof named === 'string'
      ? { light: picture('logo', named) }
      : { light: picture('logo.light', named.light), dark: picture('logo.dark', named.dark) };
  const settings: Settings = given({
    ...texts,
    logo: logo ? logoOf(logo) : undefined,
    icon: icon ? iconOf(icon, open('icon', icon, ['.svg', '.png'], LOGO_BYTES)) : undefined,
    colours: isEmpty(colours) ? undefined : colours,
    css: css ? open('css', css, ['.css'], CSS_BYTES).toString('utf8') : undefined,
    navigation: navigation.length > 0 ? navigation : undefined,
    footer: isEmpty(footer) ? undefined : footer,
  });
  const { palettes } = lookOf(texts.look ?? '') ?? DEFAULT_LOOK;
  const warnings = (['light', 'dark'] as const).flatMap((theme) => {
    const palette = completed(colours[theme] ?? {}, theme, palettes);
    return contrastFaults(palette).map((fault) => contrastWarning(fault, palette, theme));
  });
  return {
    settings,
    layout: { fonts: own, ...layout },
    files,
    warnings: warnings.map((each) => `${SITE_FILE}: ${each}`),
  };
}

function contrastWarning(
  { front, back, contrast, least }: ContrastFault,
  palette: Palette,
  theme: ColourScheme,
): string {
  const shown = front === 'code' ? 'highlighted code' : `${front} (${palette[front]})`;
  return `The ${theme} theme's ${shown} on ${back} (${palette[back]}) has a contrast of ${contrast.toFixed(2)}, but needs at least ${least} to be readable for everyone.`;
}

function tableOf(source: string): unknown {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new OperatorError(`${SITE_FILE} is not valid TOML, line ${error.line}: ${error.message.split('\n')[0]}`);
  }
}

function sentences(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map((part) => (typeof part === 'number' ? `${part + 1}` : String(part))).join('.');
  if (issue.code === 'unrecognized_keys') {
    const inside = place ? ` in ${place}` : '';
    return issue.keys.map(
      (key) => `${SITE_FILE}: there is no setting ${key}${inside}. docs/theming.md lists them all.`,
    );
  }
  return [`${SITE_FILE}: ${place} ${issue.message}.`];
}

const isEmpty = (settings: object): boolean => Object.keys(settings).length === 0;
const given = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** Returns the icon. An unknown size becomes 1×1, because the browser scales the icon anyway. */
const iconOf = (name: string, bytes: Buffer): LogoPicture => ({
  src: dataAddress(name, bytes),
  ...(pictureSize(bytes) ?? { width: 1, height: 1 }),
});

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024)} KB`;

function dataAddress(name: string, bytes: Buffer): string {
  const type = extname(name).toLowerCase() === '.png' ? 'image/png' : 'image/svg+xml';
  return `data:${type};base64,${bytes.toString('base64')}`;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    // Problems with the folder itself are reported when the server writes to it.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || (code === 'ENOENT' && !lstatSync(path, { throwIfNoEntry: false }))) return undefined;
    throw new OperatorError(`${path} cannot be read (${code}). It must be a file that the server's user may read.`);
  }
}
