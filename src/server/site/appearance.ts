/** Determines each setting: the operator's value, else the owner's stored one, else the look's, else the default. */
import { createHash } from 'node:crypto';
import { taglineIn } from '#blog/messages/pages.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import type { Site } from '#blog/site.ts';
import type { SettingName, Settings } from '#blog/site-settings/settings.ts';
import { completed } from '#blog/theme/colours.ts';
import { DEFAULT_LOOK, lookOf } from '#blog/theme/looks/index.ts';
import { cssOf, DEFAULT_THEME, type Theme, type ThemeChoices } from '#blog/theme/theme.ts';

/** Layout settings, which only `site.toml` sets. */
export type OperatorLayout = Omit<ThemeChoices, 'look' | 'palettes'>;

/** Settings from the environment and `site.toml`. */
export interface OperatorWords {
  readonly settings: Settings;
  /** The variable or file that sets each of these settings. */
  readonly places: Partial<Readonly<Record<SettingName, string>>>;
  readonly layout: OperatorLayout;
}

export interface Appearance {
  readonly site: Site;
  readonly theme: Theme;
  /** Every setting that has a value, including defaults. */
  readonly effective: Settings;
}

export interface AppearanceSource {
  readonly site: Omit<Site, SettingName>;
  readonly operator: OperatorWords;
  /** Mail settings. Without them, there is no newsletter. */
  readonly embedded?: { readonly mail: object | undefined };
}

const UTC = 'UTC';
const DEFAULT_NAME = 'Common Ink';

/** Returns the site, theme and settings that result from the operator's and the owner's settings and the defaults. */
export function appearanceOf(
  { site, operator, embedded }: AppearanceSource,
  stored: Settings,
  membersOnly = false,
): Appearance {
  const chosen: Settings = { ...stored, ...operator.settings };
  const { name = DEFAULT_NAME, language = 'en', perPage = PER_PAGE, timeZone = UTC, look = '' } = chosen;
  const tagline = chosen.tagline ?? taglineIn(language);
  return {
    site: {
      ...site,
      name,
      tagline,
      language,
      ...(perPage !== PER_PAGE && { perPage }),
      ...(timeZone !== UTC && { timeZone }),
      ...(embedded?.mail && chosen.newsletter && { newsletter: true as const }),
      ...(membersOnly && { membersOnly: true as const }),
    },
    theme: themeOf(chosen, operator.layout),
    effective: {
      ...{ navigation: [], footer: {}, mailName: name },
      ...chosen,
      ...{ name, tagline, language, perPage, timeZone, look: (lookOf(look) ?? DEFAULT_LOOK).id },
    },
  };
}

/** Returns the theme of these settings. Uses the default look if the settings name an unknown one. */
export function themeOf(settings: Settings, layout: OperatorLayout): Theme {
  const { colours, logo, icon, css: ownCss = '', navigation = [], introduction = '', footer = {} } = settings;
  const look = lookOf(settings.look ?? '') ?? DEFAULT_LOOK;
  const palettes = {
    light: completed(colours?.light ?? {}, 'light', look.palettes),
    dark: completed(colours?.dark ?? {}, 'dark', look.palettes),
  };
  const css = cssOf({ look, palettes, ...layout });
  return {
    ...{ look, css, palettes, logo, ownCss, navigation, introduction, footer },
    cssHash: css && `sha256-${createHash('sha256').update(css).digest('base64')}`,
    fonts: layout.fonts,
    icon: icon?.src ?? DEFAULT_THEME.icon,
  };
}
