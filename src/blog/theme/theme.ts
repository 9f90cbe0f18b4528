import { COLOUR_NAMES, type ColourScheme, DEFAULT_PALETTES, type Palette, schemeOf } from './colours.ts';
import { familiesOf, fontPairOf } from './font-pairs.ts';
import { DEFAULT_LOOK, type Look } from './looks/index.ts';

const FONT_VARIABLES = { text: '--newsreader', interface: '--inter', code: '--monospace' } as const;
export type FontRole = keyof typeof FONT_VARIABLES;

export interface FontFile {
  readonly style: 'normal' | 'italic';
  readonly address: string;
}

/** The font of the text, the interface or code. The site's own `files`, if any, are tried before the CSS `families`. */
export interface Font {
  readonly families: string;
  readonly files: readonly FontFile[];
}

export interface LogoPicture {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export interface NavigationLink {
  readonly text: string;
  readonly address: string;
}

export const FOOTER_PLACES = [
  'help',
  'contact',
  'privacy',
  'terms',
  'x',
  'facebook',
  'instagram',
  'linkedin',
  'mastodon',
  'bluesky',
  'github',
] as const;
export type FooterPlace = (typeof FOOTER_PLACES)[number];

export interface Theme {
  /** The look, whose layouts and fonts `layouts/look-styles.ts` turns into style sheets. */
  readonly look: Look;
  /** The style sheet that overrides `styles/tokens.css`; empty for the default look without changes. */
  readonly css: string;
  readonly cssHash: string;
  readonly palettes: Readonly<Record<ColourScheme, Palette>>;
  readonly fonts: Partial<Readonly<Record<FontRole, Font>>>;
  readonly logo: { readonly light: LogoPicture; readonly dark?: LogoPicture | undefined } | undefined;
  readonly icon: string;
  /** The owner's own style sheet, not yet sanitised; served at `/site.css`. */
  readonly ownCss: string;
  readonly navigation: readonly NavigationLink[];
  readonly introduction: string;
  /** URLs of the footer's links. `Footer.astro` omits a link without a URL or shows an inert button. */
  readonly footer: Partial<Readonly<Record<FooterPlace, string>>>;
}

export const DEFAULT_THEME: Theme = {
  look: DEFAULT_LOOK,
  css: '',
  cssHash: '',
  palettes: DEFAULT_PALETTES,
  fonts: {},
  logo: undefined,
  icon: '/favicon.svg',
  ownCss: '',
  navigation: [],
  introduction: '',
  footer: {},
};

export interface ThemeChoices extends Pick<Theme, 'palettes' | 'fonts'> {
  readonly look?: Look;
  readonly measure?: number | undefined;
  readonly corners?: number | undefined;
}

/** Returns the style sheet for a look with the owner's choices. It contains only what differs from the default look. */
export function cssOf({ look = DEFAULT_LOOK, palettes, fonts, measure, corners }: ThemeChoices): string {
  const { light, dark } = palettes;
  const asNamed = schemeOf(light.paper) === 'light' && schemeOf(dark.paper) === 'dark';
  const tokens = COLOUR_NAMES.filter(
    (name) => asNamed && (light[name] !== DEFAULT_PALETTES.light[name] || dark[name] !== DEFAULT_PALETTES.dark[name]),
  ).map((name) => `--color-${name}:light-dark(${light[name]},${dark[name]})`);
  const chosen = {
    ...(measure !== undefined && { '--container-measure': `${measure}ch` }),
    ...(corners !== undefined && cornerTokens(corners)),
  };
  const design = lookTokens(DEFAULT_LOOK);
  for (const [name, value] of Object.entries({ ...lookTokens(look), ...chosen })) {
    if (value !== design[name]) tokens.push(`${name}:${value}`);
  }
  let faces = '';
  for (const [voice, font] of Object.entries(fonts) as [FontRole, Font][]) {
    const own = font.files.length > 0 ? `"site ${voice}",` : '';
    for (const { style, address } of font.files) {
      faces += `@font-face{font-family:"site ${voice}";font-style:${style};font-weight:100 900;font-display:swap;src:url(${address})}`;
    }
    tokens.push(`${FONT_VARIABLES[voice]}:${own}${font.families}`);
  }
  return (asNamed ? '' : eachTheme(palettes)) + faces + (tokens.length > 0 ? `:root{${tokens.join(';')}}` : '');
}

/** Returns the values of a look, except colours, by their names in `styles/tokens.css`. */
function lookTokens({ fonts, measure, widthRem, cornersPx, density }: Look): Readonly<Record<string, string>> {
  const { figure, scale, text, interface: sans } = fontPairOf(fonts);
  const rem = (size: number) => `${Number((size * scale).toFixed(3))}rem`;
  return {
    // In em, because `ch` would change when the font loads, which would shift the column.
    '--container-measure': `${(measure * figure).toFixed(2)}em`,
    ...cornerTokens(cornersPx),
    '--container-site': `${widthRem}rem`,
    '--text-read': `clamp(${rem(1.125)},${rem(1.05)} + .35vw,${rem(1.25)})`,
    '--text-read--line-height': density === 'airy' ? '1.65' : '1.55',
    '--pace': density === 'airy' ? '1' : '.7',
    [FONT_VARIABLES.text]: text ? familiesOf(text) : '',
    [FONT_VARIABLES.interface]: sans ? familiesOf(sans) : '',
    ...(sans?.generic === 'monospace' && { [FONT_VARIABLES.code]: `var(${FONT_VARIABLES.interface})` }),
  };
}

const cornerTokens = (corners: number) => ({ '--radius-sm': `${corners}px`, '--radius-md': `${corners * 2}px` });

/**
 * Returns each theme's palette with the `color-scheme` that fits its paper, because a “light” theme may have dark
 * paper, or the reverse. `light-dark()` cannot select such palettes, because it follows `color-scheme`. Print uses the
 * default palette.
 */
function eachTheme({ light, dark }: ThemeChoices['palettes']): string {
  const set = (palette: Palette) =>
    [`color-scheme:${schemeOf(palette.paper)}`, ...COLOUR_NAMES.map((name) => `--color-${name}:${palette[name]}`)].join(
      ';',
    );
  return `@media screen{:root{${set(light)}}.dark{${set(dark)}}@media (scripting:none) and (prefers-color-scheme:dark){:root{${set(dark)}}}}`;
}
