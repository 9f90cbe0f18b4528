import { createHash } from 'node:crypto';
import type { Settings } from '#blog/site-settings/settings.ts';
import { completed, type Palette } from '#blog/theme/colours.ts';
import { DEFAULT_LOOK, lookOf } from '#blog/theme/looks/index.ts';
import { cssOf, DEFAULT_THEME, type Theme, type ThemeChoices } from '#blog/theme/theme.ts';

/** What only `site.toml` may set. */
export type OperatorLayout = Omit<ThemeChoices, 'look' | 'palettes'>;

/** Returns the theme of these settings. The default look stands in for an unknown one. */
export function themeOf(
  { look: id = '', colours, logo, icon, css: ownCss, ...texts }: Settings,
  layout: OperatorLayout,
): Theme {
  const look = lookOf(id) ?? DEFAULT_LOOK;
  const palette = (scheme: 'light' | 'dark'): Palette =>
    completed(given(colours?.[scheme] ?? {}), scheme, look.palettes);
  const palettes = { light: palette('light'), dark: palette('dark') };
  const css = cssOf({ look, palettes, ...layout });
  return {
    look,
    css,
    cssHash: css && `sha256-${createHash('sha256').update(css).digest('base64')}`,
    palettes,
    fonts: layout.fonts,
    logo: logo && { light: logo.light, dark: logo.dark },
    icon: icon?.src ?? DEFAULT_THEME.icon,
    ownCss: ownCss ?? '',
    navigation: texts.navigation ?? [],
    introduction: texts.introduction ?? '',
    footer: given(texts.footer ?? {}),
  };
}

/** Returns the entries that have a value. */
export const given = <Value extends object>(entries: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;
