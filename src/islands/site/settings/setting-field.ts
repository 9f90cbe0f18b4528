import { settingsText } from '#blog/messages/settings.ts';
import type { SettingName, Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { FOOTER_PLACES } from '#blog/theme/theme.ts';

export interface SettingField<Name extends SettingName> {
  readonly label: string;
  /** The operator's word, or else the owner's. */
  readonly value: Settings[Name];
  /** The value that readers see now, the defaults included. */
  readonly effective: Settings[Name];
  /** True if the operator decides. */
  readonly isFixed: boolean;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: Settings[Name]) => void;
}

/** Returns a function that makes the fields of a form for these settings. */
export const fieldsOf =
  (
    { effective, fixed }: Partial<Pick<SettingsState, 'effective' | 'fixed'>>,
    settings: Settings,
    errors: Readonly<Record<string, string>>,
    onChange: (settings: Settings, name: SettingName) => void,
  ) =>
  <Name extends SettingName>(name: Name, help?: string): SettingField<Name> => {
    const place = fixed?.[name];
    return {
      label: settingsText.names[name],
      value: place ? effective?.[name] : settings[name],
      effective: effective?.[name],
      isFixed: place !== undefined,
      help: place ? settingsText.fixedBy({ place }) : help,
      error: errors[name],
      onChange: (value) => onChange({ ...settings, [name]: value }, name),
    };
  };

/** Puts the page that the address of `/site` offers into the footer's place of its name, else the navigation, unsaved. */
export function withOfferedPage({ current: { settings }, fixed }: SettingsState): Settings {
  const offer = new URLSearchParams(location.search);
  const [address, text] = [offer.get('page'), offer.get('text')];
  const place = FOOTER_PLACES.find((name) => address === `/${name}`);
  if (!address || !text || fixed[place ? 'footer' : 'navigation']) return settings;
  // The form of the next version offers it no more.
  history.replaceState(null, '', location.pathname + location.hash);
  if (place) return { ...settings, footer: { ...settings.footer, [place]: address } };
  return { ...settings, navigation: [...(settings.navigation ?? []), { text, address }] };
}

/** Returns a setting's name on the screen; a name that this version does not know stays as it is. */
export const nameOfSetting = (name: string): string => settingsText.names[name as SettingName] ?? name;

/** Returns the entries with this one, or without it if it has no value; undefined if none are left. */
export function withEntry<Entries extends object, Name extends keyof Entries>(
  entries: Entries,
  name: Name,
  value: Entries[Name] | undefined,
): Entries | undefined {
  const { [name]: _, ...others } = entries;
  const next = value === undefined ? others : { ...entries, [name]: value };
  return Object.keys(next).length > 0 ? (next as Entries) : undefined;
}
