import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Language } from '#blog/messages/language.ts';
import { settingsText } from '#blog/messages/settings.ts';
import {
  PER_PAGE_BOUNDS,
  type SettingName,
  type Settings,
  type SettingsState,
  settingsSchema,
} from '#blog/site-settings/settings.ts';
import { FOOTER_PLACES, type FooterPlace } from '#blog/theme/theme.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { controlClass, Field } from '#components/controls/Field.tsx';
import type { useWork } from '../../use-work.ts';
import { ColoursField } from './ColoursField.tsx';
import { LookField } from './LookField.tsx';
import { NavigationField } from './NavigationField.tsx';
import { IconField, LogoField } from './PictureField.tsx';
import { SitePreview } from './SitePreview.tsx';
import type { SettingField } from './setting-field.ts';

interface SettingsFormProps {
  readonly state: SettingsState;
  /** Names of stored settings that cannot be used. */
  readonly unusable: readonly string[];
  readonly work: Pick<ReturnType<typeof useWork>, 'busy' | 'failure' | 'said'>;
  readonly onSave: (settings: Settings) => Promise<unknown>;
  readonly onUndo: (() => Promise<unknown>) | undefined;
}

const PLACES: Readonly<Record<FooterPlace, string>> = {
  ...settingsText.places,
  ...{ x: 'X', facebook: 'Facebook', instagram: 'Instagram', linkedin: 'LinkedIn' },
};
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export function SettingsForm({ state, unusable, work, onSave, onUndo }: SettingsFormProps) {
  const { current, effective, fixed, sendsMail } = state;
  const [settings, setSettings] = useState<Settings>(current.settings);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const isChanged = JSON.stringify(settings) !== JSON.stringify(current.settings);

  const field = <Name extends SettingName>(name: Name, help?: string): SettingField<Name> => ({
    value: settings[name],
    effective: effective[name],
    isFixed: fixed[name] !== undefined,
    help: fixed[name] ? settingsText.fixedBy({ place: fixed[name] }) : help,
    error: errors[name],
    onChange: (value) => {
      const { [name]: _, ...others } = settings;
      setSettings((value === undefined ? others : { ...others, [name]: value }) as Settings);
      if (errors[name]) setErrors({ ...errors, [name]: '' });
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (work.busy) return;
    const parsed = settingsSchema.safeParse(settings);
    if (parsed.success) return void onSave(parsed.data);
    const found: Record<string, string> = {};
    for (const { path, message } of parsed.error.issues) found[String(path[0])] ??= message;
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-12">
      {unusable.length > 0 && <Banner message={settingsText.unusable({ names: unusable.join(', ') })} />}
      <Group title={settingsText.about}>
        <TextField name="name" {...field('name')} />
        <TextField name="tagline" {...field('tagline', settingsText.taglineHelp)} isLong />
        <TextField name="introduction" {...field('introduction', settingsText.introductionHelp)} isLong />
        <ChoiceField
          name="language"
          {...field('language', settingsText.languageHelp)}
          choices={Object.entries(LANGUAGE_NAMES) as [Language, string][]}
        />
        <ChoiceField
          name="timeZone"
          {...field('timeZone', settingsText.timeZoneHelp)}
          choices={Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')])}
        />
        <PerPageField {...field('perPage', settingsText.perPage(PER_PAGE_BOUNDS))} />
        {sendsMail && <TextField name="mailName" {...field('mailName', settingsText.mailNameHelp)} />}
      </Group>
      <Group title={settingsText.appearance}>
        <LookField {...field('look')} />
        <ColoursField {...field('colours', settingsText.coloursHelp)} look={settings.look ?? effective.look} />
        <LogoField {...field('logo', settingsText.logoHelp)} />
        <IconField {...field('icon', settingsText.iconHelp)} />
      </Group>
      <Group title={settingsText.names.navigation}>
        <NavigationField {...field('navigation', settingsText.navigationHelp)} />
      </Group>
      <Group title={settingsText.names.footer} help={settingsText.footerHelp}>
        <FooterFields {...field('footer')} />
      </Group>
      <Group title={settingsText.names.css}>
        <CssField {...field('css')} />
      </Group>
      <SitePreview settings={settings} />
      <div className="sticky bottom-0 -mx-4 border-t border-hairline bg-paper px-4 py-3">
        <Banner message={work.failure} className="mb-3 empty:hidden" />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={work.busy !== ''}>
            {work.busy === 'save' ? settingsText.saving : settingsText.save}
          </Button>
          {onUndo && !isChanged && (
            <Button tone="quiet" busy={work.busy !== ''} onClick={() => void onUndo()}>
              {settingsText.undo}
            </Button>
          )}
          {isChanged && (
            <Button tone="quiet" busy={work.busy !== ''} onClick={() => setSettings(current.settings)}>
              {settingsText.discard}
            </Button>
          )}
          <p role="status" className="min-w-0 text-base text-soft">
            {isChanged ? settingsText.unsaved : work.said}
          </p>
        </div>
      </div>
    </form>
  );
}

interface GroupProps {
  readonly title: string;
  readonly help?: string;
  readonly children: ReactNode;
}

function Group({ title, help, children }: GroupProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-4 font-serif text-xl font-medium">{title}</legend>
      {help && <p className="-mt-2 mb-4 text-base text-soft">{help}</p>}
      <div className="grid max-w-[40rem] gap-x-6 gap-y-1">{children}</div>
    </fieldset>
  );
}

interface TextFieldProps extends SettingField<'name' | 'tagline' | 'introduction' | 'mailName'> {
  readonly name: 'name' | 'tagline' | 'introduction' | 'mailName';
  readonly isLong?: boolean;
}

function TextField({ name, value, effective, isFixed, help, error, onChange, isLong = false }: TextFieldProps) {
  const shared = {
    value: (isFixed ? effective : value) ?? '',
    placeholder: effective,
    readOnly: isFixed,
    dir: 'auto',
    autoComplete: 'off',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value || undefined),
  } as const;
  const frame = { label: settingsText.names[name], help, error };
  if (!isLong) return <Field {...frame} {...shared} />;
  return <Field {...frame}>{(wiring) => <textarea {...wiring} {...shared} rows={2} className={controlClass} />}</Field>;
}

interface ChoiceFieldProps<Value extends string> {
  readonly name: 'language' | 'timeZone';
  readonly value: Value | undefined;
  readonly effective: Value | undefined;
  readonly isFixed: boolean;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value | undefined) => void;
}

function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { name, value, effective, isFixed, help, error, choices, onChange } = props;
  const chosen = (isFixed ? effective : value) ?? '';
  return (
    <Field label={settingsText.names[name]} help={help} error={error}>
      {(wiring) => (
        <select
          {...wiring}
          value={chosen}
          disabled={isFixed}
          className={controlClass}
          onChange={({ target }) => onChange((target.value || undefined) as Value | undefined)}
        >
          <option value="">{settingsText.byDefault}</option>
          {choices.map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function PerPageField({ value, effective, isFixed, help, error, onChange }: SettingField<'perPage'>) {
  return (
    <Field
      label={settingsText.names.perPage}
      help={help}
      error={error}
      type="number"
      inputMode="numeric"
      min={PER_PAGE_BOUNDS.least}
      max={PER_PAGE_BOUNDS.most}
      value={(isFixed ? effective : value) ?? ''}
      placeholder={`${effective}`}
      readOnly={isFixed}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
    />
  );
}

function FooterFields({ value = {}, effective, isFixed, help, error, onChange }: SettingField<'footer'>) {
  const shown = (isFixed ? effective : value) ?? {};
  return (
    <>
      {help && <p className="mb-3 text-sm text-soft">{help}</p>}
      {FOOTER_PLACES.map((place) => (
        <Field
          key={place}
          label={PLACES[place]}
          error={
            error && shown[place] && !settingsSchema.safeParse({ footer: { [place]: shown[place] } }).success
              ? error
              : ''
          }
          value={shown[place] ?? ''}
          readOnly={isFixed}
          inputMode="url"
          autoComplete="off"
          onChange={({ currentTarget }) => {
            const { [place]: _, ...others } = value;
            const next = currentTarget.value ? { ...others, [place]: currentTarget.value } : others;
            onChange(Object.keys(next).length > 0 ? next : undefined);
          }}
        />
      ))}
    </>
  );
}

function CssField({ value = '', isFixed, effective, help, error, onChange }: SettingField<'css'>) {
  const shown = (isFixed ? effective : value) ?? '';
  return (
    <Field label={settingsText.names.css} help={help ?? settingsText.cssHelp} error={error}>
      {(wiring) => (
        <textarea
          {...wiring}
          value={shown}
          readOnly={isFixed}
          rows={8}
          dir="ltr"
          spellCheck={false}
          className={`${controlClass} font-mono text-sm`}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      )}
    </Field>
  );
}
