/**
 * The owner's settings, as the settings form sends them and the backend stores them (docs/decisions/027-settings.md).
 * An absent setting has its default. The schema is shared by the form, `POST /api/settings` and `settingsIn`, which
 * reads stored versions and drops individual settings that are invalid.
 */
import * as z from 'zod/mini';
import { LANGUAGES } from '../messages/language.ts';
import { newsletterText } from '../messages/newsletter.ts';
import { settingsText } from '../messages/settings.ts';
import { RHYTHMS } from '../newsletter/newsletter.ts';
import { COLOUR_NAMES } from '../theme/colours.ts';
import { LOOKS } from '../theme/looks/index.ts';
import { FOOTER_PLACES } from '../theme/theme.ts';
import { isSafePicture } from './pictures.ts';

export const NAVIGATION_MOST = 8;
export const LOGO_MAX_BYTES = 16 * 1024;
export const PER_PAGE_BOUNDS = { least: 6, most: 60 } as const;
export const NEWSLETTER_BOUNDS = {
  perMinute: { least: 1, most: 6000 },
  perHour: { least: 1, most: 360_000 },
  perDay: { least: 1, most: 8_640_000 },
  /** In minutes. */
  delay: { least: 0, most: 1440 },
} as const;
export const CONTACT_MAX = 300;

const atMost = (most: number) => z.maxLength(most, settingsText.tooLong({ most }));
const words = (most: number, empty = settingsText.empty) =>
  z.string().check(z.trim(), z.minLength(1, empty), atMost(most), z.regex(/^\P{Cc}*$/u, settingsText.oneLine));
const intIn = (bounds: { readonly least: number; readonly most: number }) => {
  const message = settingsText.perPage(bounds);
  return z.int(message).check(z.minimum(bounds.least, message), z.maximum(bounds.most, message));
};
/** Matches a path on this site, or an http(s) or `mailto:` URL, but not a `javascript:` or protocol-relative URL. */
const ADDRESS = /^(?:\/(?![/\\])|https?:\/\/|mailto:)[^\s"<>\\]*$/;
/** Matches the host of a URL without a scheme, such as `example.com/about`. */
const HOST = /^(?:[\p{L}\d-]+\.)+\p{L}[\p{L}\d-]+(?=[/?#]|:\d|$)/u;
const EMAIL = /^[^\s:/@"<>\\]+@[^\s:/@"<>\\]+$/;
const address = z.string().check(
  z.trim(),
  z.overwrite((text) => text.replace(EMAIL, 'mailto:$&').replace(HOST, 'https://$&')),
  atMost(2000),
  z.regex(ADDRESS, settingsText.notAnAddress),
);
const colour = z.string().check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, settingsText.notAColour));
const palette = z.partialRecord(z.enum(COLOUR_NAMES), colour);
const picture = z
  .strictObject({
    /** `data:image/svg+xml;base64,…` or `data:image/png;base64,…` */
    src: z.string().check(z.maxLength(24 * 1024), z.regex(/^data:image\/(?:png|svg\+xml);base64,[A-Za-z0-9+/]+=*$/)),
    width: z.int().check(z.minimum(1), z.maximum(10_000)),
    height: z.int().check(z.minimum(1), z.maximum(10_000)),
  })
  .check(z.refine(({ src }) => isSafePicture(src), settingsText.unsafePicture));

/** One schema per setting, so that `settingsIn` can drop an invalid setting and keep the others. */
export const SETTINGS = {
  name: words(80),
  tagline: words(300),
  introduction: words(300),
  language: z.enum(LANGUAGES),
  logo: z.strictObject({ light: picture, dark: z.optional(picture) }),
  icon: picture,
  look: z.enum(LOOKS.map(({ id }) => id)),
  colours: z.strictObject({ light: z.optional(palette), dark: z.optional(palette) }),
  navigation: z
    .array(z.strictObject({ text: words(40), address }))
    .check(z.maxLength(NAVIGATION_MOST, settingsText.navigationFull({ most: NAVIGATION_MOST }))),
  footer: z.partialRecord(z.enum(FOOTER_PLACES), address),
  perPage: intIn(PER_PAGE_BOUNDS),
  /** IANA name of the time zone for dates on pages. */
  timeZone: z.string().check(z.refine(isTimeZone, settingsText.notATimeZone)),
  /** Sender's name in emails. Used only by the embedded backend, if SMTP is configured. */
  mailName: words(80),
  /** Absent if there is no newsletter. */
  newsletter: z.strictObject({
    rhythm: z.enum(RHYTHMS),
    /** A postal address or another way to reach the sender, shown at the end of every email. */
    contact: words(CONTACT_MAX, newsletterText.contactRequired),
    perMinute: intIn(NEWSLETTER_BOUNDS.perMinute),
    perHour: z.optional(intIn(NEWSLETTER_BOUNDS.perHour)),
    perDay: z.optional(intIn(NEWSLETTER_BOUNDS.perDay)),
    /** Minutes between the publication of a post and its first email. */
    delay: intIn(NEWSLETTER_BOUNDS.delay),
  }),
  /** True to ask owners and editors without a passkey to add one; absent otherwise. */
  askForPasskeys: z.literal(true),
  /** The owner's own style sheet, sanitised when it is served. */
  css: z.string().check(atMost(32 * 1024)),
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];
export const settingsSchema = z.partial(z.strictObject(SETTINGS));
export type Settings = z.infer<typeof settingsSchema>;

/** Returns the valid settings in stored JSON, and the names of the invalid ones. */
export function settingsIn(text: string): { readonly settings: Settings; readonly faults: readonly string[] } {
  let given: unknown;
  try {
    given = JSON.parse(text || '{}');
  } catch {
    // Invalid JSON is handled below, like JSON that is not an object.
  }
  if (!given || typeof given !== 'object' || Array.isArray(given)) return { settings: {}, faults: ['settings'] };
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const parsed = Object.hasOwn(SETTINGS, name) ? SETTINGS[name as SettingName].safeParse(value) : undefined;
    if (parsed?.success) settings[name] = parsed.data;
    else faults.push(name);
  }
  return { settings: settings as Settings, faults };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export interface SettingsVersion {
  /** 0 if nothing has been saved yet and the defaults apply. */
  readonly version: number;
  readonly savedAt: string;
  /** The id and name of the owner who saved the version; empty if unknown. */
  readonly userId: string;
  readonly userName: string;
  readonly settings: Settings;
  /** Names of stored settings that are invalid and were ignored. */
  readonly faults: readonly string[];
}

/** The response of `GET /api/settings`, which only owners may request. */
export interface SettingsState {
  readonly current: SettingsVersion;
  /** Newest first, at most twenty, without the current one. */
  readonly former: readonly SettingsVersion[];
  /** Maps each setting that the operator has configured to its source: an environment variable or `site.toml`. */
  readonly fixed: Partial<Readonly<Record<SettingName, string>>>;
  /** The values in force: the operator's, else the owner's, else the defaults. */
  readonly effective: Settings;
  /** True if this site sends mail through the embedded backend. */
  readonly sendsMail: boolean;
}

/**
 * The body of `POST /api/settings`. `base` is the version from which the form was filled. If that version is outdated,
 * the server responds with 409.
 */
export const saveSettingsSchema = z.object({ base: z.int().check(z.minimum(0)), settings: settingsSchema });
export type SaveSettings = z.infer<typeof saveSettingsSchema>;
