/** A site's theme where its owner chose one: a few tokens set anew, a logo, more navigation links. */

import { COLOUR_NAMES, type ColourScheme, DEFAULT_PALETTES, type Palette, schemeOf } from './colours.ts';

/** The three font roles of the design and their CSS variables. */
const FONT_VARIABLES = { text: '--newsreader', interface: '--inter', code: '--monospace' } as const;
export type FontRole = keyof typeof FONT_VARIABLES;

/** A font file that the site serves. */
export interface FontFile {
  readonly style: 'normal' | 'italic';
  /** Its address on this site. */
  readonly address: string;
}

/** The font of a role: families that readers have, or files of the site before them. */
export interface Font {
  /** As CSS writes them. */
  readonly families: string;
  readonly files: readonly FontFile[];
}

export interface LogoPicture {
  /** `data:` address. */
  readonly src: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface NavigationLink {
  readonly text: string;
  /** A path of this site or another's address. */
  readonly address: string;
}

/** What the footer's placeholders stand for. */
export const FOOTER_PLACES = ['help', 'contact', 'privacy', 'terms', 'x', 'facebook', 'instagram', 'linkedin'] as const;
export type FooterPlace = (typeof FOOTER_PLACES)[number];

export interface Theme {
  /** Style sheet that sets tokens anew; empty when nothing was chosen. */
  readonly css: string;
  /** For the content security policy; empty with the sheet. */
  readonly cssHash: string;
  readonly palettes: Readonly<Record<ColourScheme, Palette>>;
  /** In place of the design's. */
  readonly fonts: Partial<Readonly<Record<FontRole, Font>>>;
  readonly logo: { readonly light: LogoPicture; readonly dark: LogoPicture | undefined } | undefined;
  /** The icon's address. */
  readonly icon: string;
  /** Added to the header and the footer. */
  readonly navigation: readonly NavigationLink[];
  /** The site's own sentence above the newest posts; empty where there is none. */
  readonly introduction: string;
  /** Where the footer's placeholders lead; those that are not there stay placeholders. */
  readonly footer: Partial<Readonly<Record<FooterPlace, string>>>;
}

export const DEFAULT_THEME: Theme = {
  css: '',
  cssHash: '',
  palettes: DEFAULT_PALETTES,
  fonts: {},
  logo: undefined,
  icon: '/favicon.svg',
  navigation: [],
  introduction: '',
  footer: {},
};

export interface ThemeChoices extends Pick<Theme, 'palettes' | 'fonts'> {
  /** Characters of a line of text. */
  readonly measure: number | undefined;
  /** Radius of corners, in pixels. */
  readonly corners: number | undefined;
}

/** The style sheet of what was chosen. It names only what differs from the design. */
export function cssOf({ palettes, fonts, measure, corners }: ThemeChoices): string {
  const { light, dark } = palettes;
  const asNamed = schemeOf(light.paper) === 'light' && schemeOf(dark.paper) === 'dark';
  const tokens = COLOUR_NAMES.filter(
    (name) => asNamed && (light[name] !== DEFAULT_PALETTES.light[name] || dark[name] !== DEFAULT_PALETTES.dark[name]),
  ).map((name) => `--color-${name}:light-dark(${light[name]},${dark[name]})`);
  if (measure !== undefined) tokens.push(`--container-measure:${measure}ch`);
  if (corners !== undefined) tokens.push(`--radius-sm:${corners}px`, `--radius-md:${corners * 2}px`);
  let faces = '';
  for (const [voice, font] of Object.entries(fonts) as [FontRole, Font][]) {
    const own = font.files.length > 0 ? `"site ${voice}",` : '';
    for (const { style, address } of font.files) {
      faces += `@font-face{font-family:"site ${voice}";font-style:${style};font-weight:100 900;font-display:swap;src:url(${address}) format("woff2")}`;
    }
    tokens.push(`${FONT_VARIABLES[voice]}:${own}${font.families}`);
  }
  return (asNamed ? '' : eachTheme(palettes)) + faces + (tokens.length > 0 ? `:root{${tokens.join(';')}}` : '');
}

/**
 * Both palettes where one is not as dark or light as its theme is called: `light-dark()` goes by the colour scheme, which
 * has to be the paper's, for what the design and the browser draw on it. On real paper the design's own are used.
 */
function eachTheme({ light, dark }: ThemeChoices['palettes']): string {
  const set = (palette: Palette) =>
    [`color-scheme:${schemeOf(palette.paper)}`, ...COLOUR_NAMES.map((name) => `--color-${name}:${palette[name]}`)].join(
      ';',
    );
  return `@media screen{:root{${set(light)}}.dark{${set(dark)}}@media (scripting:none) and (prefers-color-scheme:dark){:root{${set(dark)}}}}`;
}
