import { createHash } from 'node:crypto';
import type { Settings } from '#blog/site-settings/settings.ts';
import { completed } from '#blog/theme/colours.ts';
import { DEFAULT_LOOK, lookOf } from '#blog/theme/looks/index.ts';
import { cssOf, DEFAULT_THEME, type Theme, type ThemeChoices } from '#blog/theme/theme.ts';

/** What only `site.toml` may set. */
export type OperatorLayout = Omit<ThemeChoices, 'look' | 'palettes'>;

/** Returns the theme of these settings. The default look stands in for an unknown one. */
export function themeOf(
  {
    look: id = '',
    colours = {},
    logo,
    icon,
    css: ownCss = '',
    navigation = [],
    introduction = '',
    footer = {},
  }: Settings,
  layout: OperatorLayout,
): Theme {
  const look = lookOf(id) ?? DEFAULT_LOOK;
  const palettes = {
    light: completed(colours.light ?? {}, 'light', look.palettes),
    dark: completed(colours.dark ?? {}, 'dark', look.palettes),
  };
  const css = cssOf({ look, palettes, ...layout });
  return {
    ...{ look, css, palettes, logo, ownCss, navigation, introduction, footer },
    cssHash: css && `sha256-${createHash('sha256').update(css).digest('base64')}`,
    fonts: layout.fonts,
    icon: icon?.src ?? DEFAULT_THEME.icon,
  };
}
