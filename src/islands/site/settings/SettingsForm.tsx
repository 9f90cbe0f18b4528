import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Language } from '#blog/messages/language.ts';
import { settingsText } from '#blog/messages/settings.ts';
import {
  PER_PAGE_BOUNDS,
  SETTINGS,
  type SettingName,
  type Settings,
  type SettingsState,
  settingsSchema,
} from '#blog/site-settings/settings.ts';
import { FOOTER_PLACES, type FooterPlace } from '#blog/theme/theme.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import type { useWork } from '../../use-work.ts';
import { ColoursField } from './ColoursField.tsx';
import { NavigationField } from './NavigationField.tsx';
import { LogoField, PictureField } from './PictureField.tsx';
import { SitePreview } from './SitePreview.tsx';
import {
  fieldsOf,
  LookField,
  nameOfSetting,
  type SettingField,
  TextField,
  withEntry,
  withOfferedPage,
} from './setting-field.tsx';
import { changedSettings, keepUnsaved, withUnsaved } from './unsaved-settings.ts';

interface SettingsFormProps {
  readonly state: SettingsState;
  readonly work: Pick<ReturnType<typeof useWork>, 'busy' | 'failure' | 'said'>;
  readonly onSave: (settings: Settings) => Promise<unknown>;
  readonly onUndo: (() => Promise<unknown>) | undefined;
}

const PLACES: Readonly<Record<FooterPlace, string>> = {
  ...settingsText.places,
  ...{ x: 'X', facebook: 'Facebook', instagram: 'Instagram', linkedin: 'LinkedIn' },
  ...{ mastodon: 'Mastodon', bluesky: 'Bluesky', github: 'GitHub' },
};
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export function SettingsForm({ state, work, onSave, onUndo }: SettingsFormProps) {
  const { current, effective, sendsMail } = state;
  const [offered] = useState(() => new URLSearchParams(location.search).get('page'));
  const [settings, setSettings] = useState(() => withOfferedPage(withUnsaved(current.settings), state));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [base, setBase] = useState(current);
  if (base !== current) {
    setBase(current);
    setSettings(withUnsaved(current.settings));
    setErrors({});
  }
  const form = useRef<HTMLFormElement>(null);
  const isChanged = changedSettings(current.settings, settings).length > 0;
  const unusable = current.faults.map(nameOfSetting).join(', ');
  const canSave = isChanged || unusable !== '';
  const isWrong = Object.values(errors).some(Boolean);

  const field = fieldsOf(state, settings, errors, (changed, name) => {
    setSettings(changed);
    if (errors[name]) setErrors({ ...errors, [name]: '' });
  });

  useEffect(() => keepUnsaved(current.settings, settings), [current, settings]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the page offered in the URL.
  useEffect(() => {
    const entry = offered && form.current?.querySelector<HTMLElement>(`input[value="${CSS.escape(offered)}"]`);
    if (!entry) return;
    // Waits until the field is visible, because the access guard may still hide the form behind its spinner.
    const observer = new ResizeObserver(() => {
      if (entry.getClientRects().length === 0) return;
      entry.focus();
      entry.scrollIntoView({ block: 'center' });
      observer.disconnect();
    });
    observer.observe(entry);
    return () => observer.disconnect();
  }, []);

  const discard = () => {
    setSettings(current.settings);
    setErrors({});
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (work.busy || !canSave) return;
    const { data, error } = settingsSchema.safeParse(settings);
    if (data) {
      // Shows the parsed values. After saving, these equal the stored ones, so no change counts as unsaved.
      setSettings(data);
      return void onSave(data);
    }
    const found: Record<string, string> = {};
    for (const { path, message } of error.issues) found[String(path[0])] ??= message;
    flushSync(() => setErrors(found));
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-12">
      {unusable && <Banner message={settingsText.unusable({ names: unusable })} />}
      <Group title={settingsText.about}>
        <TextField {...field('name')} />
        <TextField {...field('tagline', settingsText.taglineHelp)} rows={2} />
        <TextField {...field('introduction', settingsText.introductionHelp)} rows={2} />
        <ChoiceField<'language'>
          {...field('language', settingsText.languageHelp)}
          choices={Object.entries(LANGUAGE_NAMES)}
        />
        <ChoiceField<'timeZone'>
          {...field('timeZone', settingsText.timeZoneHelp)}
          choices={Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')])}
        />
        <PerPageField {...field('perPage', settingsText.perPage(PER_PAGE_BOUNDS))} />
        {sendsMail && <TextField {...field('mailName', settingsText.mailNameHelp)} />}
      </Group>
      <Group title={settingsText.appearance}>
        <LookField {...field('look')} />
        <ColoursField {...field('colours', settingsText.coloursHelp)} look={settings.look ?? effective.look} />
        <LogoField {...field('logo', settingsText.logoHelp)} />
        <PictureField {...field('icon', settingsText.iconHelp)} />
      </Group>
      <Group title={settingsText.names.navigation}>
        <NavigationField {...field('navigation', settingsText.navigationHelp)} />
      </Group>
      <Group title={settingsText.names.footer} help={settingsText.footerHelp}>
        <FooterFields {...field('footer')} />
      </Group>
      <Group title={settingsText.signIn}>
        <AskForPasskeysField {...field('askForPasskeys', settingsText.askForPasskeysHelp)} />
      </Group>
      <Group title={settingsText.names.css}>
        <TextField {...field('css', settingsText.cssHelp)} rows={8} isCode />
      </Group>
      <SitePreview settings={settings} />
      <div className="sticky bottom-0 -mx-4 border-t border-hairline bg-paper px-4 py-3">
        <Banner message={work.failure} className="mb-3 empty:hidden" />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={work.busy !== ''} aria-disabled={work.busy !== '' || !canSave || undefined}>
            {work.busy === 'save' ? settingsText.saving : settingsText.save}
          </Button>
          {onUndo && !isChanged && (
            <Button tone="quiet" busy={work.busy !== ''} onClick={() => void onUndo()}>
              {settingsText.undo}
            </Button>
          )}
          {isChanged && (
            <Button tone="quiet" busy={work.busy !== ''} onClick={discard}>
              {settingsText.discard}
            </Button>
          )}
          <p role="status" className={`min-w-0 text-base ${isWrong ? 'text-danger' : 'text-soft'}`}>
            {isChanged ? settingsText[isWrong ? 'checkFields' : 'unsaved'] : work.said}
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
      <div className="grid max-w-[40rem] gap-x-6 gap-y-3">{children}</div>
    </fieldset>
  );
}

interface ChoiceFieldProps<Name extends SettingName> extends SettingField<Name> {
  readonly choices: readonly (readonly [id: string, text: string])[];
}

function ChoiceField<Name extends 'language' | 'timeZone'>(props: ChoiceFieldProps<Name>) {
  const { label, value, isFixed, help, error, choices, onChange } = props;
  return (
    <SelectField
      {...{ label, help, error }}
      value={value ?? ''}
      disabled={isFixed}
      choices={[['', settingsText.byDefault], ...choices]}
      onChange={({ target }) => onChange((target.value || undefined) as Settings[Name])}
    />
  );
}

function PerPageField({ value, effective, isFixed, onChange, ...frame }: SettingField<'perPage'>) {
  return (
    <Field
      {...frame}
      type="number"
      inputMode="numeric"
      min={PER_PAGE_BOUNDS.least}
      max={PER_PAGE_BOUNDS.most}
      value={value ?? ''}
      placeholder={`${effective}`}
      readOnly={isFixed}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
    />
  );
}

function AskForPasskeysField({ label, value, help, onChange }: SettingField<'askForPasskeys'>) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3 text-base">
        <input
          type="checkbox"
          checked={value === true}
          aria-describedby={id}
          onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
          className="size-4 shrink-0 accent-accent"
        />
        {label}
      </label>
      <p id={id} className="text-sm text-soft">
        {help}
      </p>
    </div>
  );
}

function FooterFields({ value = {}, isFixed, help, error, onChange }: SettingField<'footer'>) {
  return (
    <>
      {help && <p className="mb-3 text-sm text-soft">{help}</p>}
      {FOOTER_PLACES.map((place) => (
        <Field
          key={place}
          label={PLACES[place]}
          error={value[place] && !SETTINGS.footer.safeParse({ [place]: value[place] }).success ? error : ''}
          value={value[place] ?? ''}
          readOnly={isFixed}
          inputMode="url"
          autoComplete="off"
          onChange={({ currentTarget }) => onChange(withEntry(value, place, currentTarget.value || undefined))}
        />
      ))}
    </>
  );
}
