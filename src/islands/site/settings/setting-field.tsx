import { faultOf } from '#blog/errors.ts';
import { language } from '#blog/messages/language.ts';
import { peopleMessage } from '#blog/messages/people.ts';
import { settingsText } from '#blog/messages/settings.ts';
import type { SettingName, Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { LOOKS, type Look } from '#blog/theme/looks/index.ts';
import { FOOTER_PLACES } from '#blog/theme/theme.ts';
import { Choices } from '#components/controls/Choices.tsx';
import { controlClass, Field } from '#components/controls/Field.tsx';

export interface SettingField<Name extends SettingName> {
  readonly label: string;
  /** The value configured by the operator if `isFixed`, otherwise the one set by the owner. */
  readonly value: Settings[Name];
  /** The value in force, which may be the default. */
  readonly effective: Settings[Name];
  /** True if the operator has configured the setting, so the owner cannot change it. */
  readonly isFixed: boolean;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: Settings[Name]) => void;
}

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

/**
 * Adds a link to the page named in the query of `/site`: to the footer if the footer has an entry for that page,
 * otherwise to the navigation. Does nothing if the page is already linked or the operator has fixed the setting.
 */
export function withOfferedPage(settings: Settings, { fixed }: Pick<SettingsState, 'fixed'>): Settings {
  const offer = new URLSearchParams(location.search);
  const [address, text] = [offer.get('page'), offer.get('text')];
  const place = FOOTER_PLACES.find((name) => address === `/${name}`);
  if (!address || !text || fixed[place ? 'footer' : 'navigation']) return settings;
  // Removes the query, so that the form does not add the page again when it is mounted a second time.
  history.replaceState(null, '', location.pathname + location.hash);
  const links = [...(settings.navigation ?? []).map((link) => link.address), ...Object.values(settings.footer ?? {})];
  if (links.includes(address)) return settings;
  if (place) return { ...settings, footer: { ...settings.footer, [place]: address } };
  return { ...settings, navigation: [...(settings.navigation ?? []), { text, address }] };
}

/** Returns the label of a setting; an unknown name is returned unchanged. */
export const nameOfSetting = (name: string): string => settingsText.names[name as SettingName] ?? name;

/** Returns `entries` with `name` set, or removed if `value` is undefined. Returns undefined if no entries are left. */
export function withEntry<Entries extends object, Name extends keyof Entries>(
  entries: Entries,
  name: Name,
  value: Entries[Name] | undefined,
): Entries | undefined {
  const { [name]: _, ...others } = entries;
  const next = value === undefined ? others : { ...entries, [name]: value };
  return Object.keys(next).length > 0 ? (next as Entries) : undefined;
}

/** Returns the message for a failed save; for 409 (a conflict) and 413 (too large), the server's message. */
export function settingsMessage(error: unknown): string {
  const { code, message } = faultOf(error);
  return code === 409 || code === 413 ? message : peopleMessage(error);
}

interface TextFieldProps extends SettingField<'name' | 'tagline' | 'introduction' | 'mailName' | 'css'> {
  readonly rows?: number;
  readonly isCode?: boolean;
}

export function TextField({ value, effective, isFixed, onChange, rows, isCode, ...frame }: TextFieldProps) {
  const control = {
    value: value ?? '',
    readOnly: isFixed,
    autoComplete: 'off',
    ...(isCode ? { dir: 'ltr', spellCheck: false } : { dir: 'auto', placeholder: effective }),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value || undefined),
  } as const;
  if (!rows) return <Field {...frame} {...control} />;
  const className = isCode ? `${controlClass} font-mono text-sm` : controlClass;
  return (
    <Field {...frame}>{(wiring) => <textarea {...wiring} {...control} rows={rows} className={className} />}</Field>
  );
}

export function LookField({ label, value, effective, isFixed, help, onChange }: SettingField<'look'>) {
  return (
    <fieldset disabled={isFixed} className="mb-5 min-w-0">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {help && <p className="mb-2 text-sm text-soft">{help}</p>}
      <div className="grid gap-3 sm:grid-cols-2">
        <Choices
          name="look"
          choices={LOOKS.map((look) => [look.id, look.texts[language()].name, <Description key={look.id} {...look} />])}
          chosen={value ?? effective ?? ''}
          onChoose={onChange}
        />
      </div>
    </fieldset>
  );
}

function Description({ texts, palettes: { light } }: Look) {
  return (
    <>
      {texts[language()].help}
      <svg aria-hidden="true" viewBox="0 0 60 12" className="mt-2 h-3 w-15">
        {[light.paper, light.well, light.ink, light.soft, light.accent].map((colour, at) => (
          <rect key={colour} x={at * 12} width="12" height="12" fill={colour} />
        ))}
      </svg>
    </>
  );
}
