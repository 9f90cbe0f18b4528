import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { newsletterText } from '#blog/messages/newsletter.ts';
import { RHYTHMS, type Rhythm } from '#blog/newsletter/newsletter.ts';
import { CONTACT_MAX, NEWSLETTER_BOUNDS, SETTINGS, type Settings } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import type { useWork } from '../../use-work.ts';

type NewsletterSetting = NonNullable<Settings['newsletter']>;
type NumberName = keyof typeof NEWSLETTER_BOUNDS;

interface NewsletterFormProps {
  readonly saved: NewsletterSetting | undefined;
  readonly work: Pick<ReturnType<typeof useWork>, 'busy' | 'failure' | 'said'>;
  readonly onSave: (setting: NewsletterSetting | undefined) => Promise<unknown>;
}

const INITIAL: NewsletterSetting = { rhythm: 'each', contact: '', perMinute: 10, delay: 10 };
const NUMBERS: readonly (readonly [name: NumberName, help: string])[] = [
  ['delay', newsletterText.delayHelp],
  ['perMinute', ''],
  ['perHour', newsletterText.rateHelp],
  ['perDay', newsletterText.rateHelp],
];

export function NewsletterForm({ saved, work, onSave }: NewsletterFormProps) {
  const [setting, setSetting] = useState(saved ?? INITIAL);
  const [isOn, setOn] = useState(saved !== undefined);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const isChanged = JSON.stringify(isOn ? setting : undefined) !== JSON.stringify(saved);
  const change = (changed: Partial<NewsletterSetting>) => {
    setSetting({ ...setting, ...changed });
    setErrors({ ...errors, ...Object.fromEntries(Object.keys(changed).map((name) => [name, ''])) });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (work.busy || !isChanged) return;
    if (!isOn) return void onSave(undefined);
    const { data, error } = SETTINGS.newsletter.safeParse(setting);
    if (data) return void onSave(data);
    const found: Record<string, string> = {};
    for (const { path, message } of error.issues) found[String(path[0])] ??= message;
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="min-w-0">
      <h2 className="mb-4 text-xl">{newsletterText.newsletter}</h2>
      <div className="grid max-w-[40rem] gap-x-6 gap-y-1 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <SelectField
            label={newsletterText.rhythm}
            help={isOn ? newsletterText.rhythmHelp : newsletterText.isOff}
            value={isOn ? setting.rhythm : ''}
            choices={[
              ['', newsletterText.off],
              ...RHYTHMS.map((name) => [name, newsletterText.rhythms[name]] as const),
            ]}
            onChange={({ target }) => {
              setOn(target.value !== '');
              if (target.value) change({ rhythm: target.value as Rhythm });
            }}
          />
        </div>
        {isOn && (
          <>
            <div className="sm:col-span-2">
              <Field
                label={newsletterText.contact}
                help={newsletterText.contactHelp}
                error={errors.contact}
                value={setting.contact}
                maxLength={CONTACT_MAX}
                dir="auto"
                autoComplete="off"
                onChange={({ currentTarget }) => change({ contact: currentTarget.value })}
              />
            </div>
            {NUMBERS.map(([name, help]) => (
              <Field
                key={name}
                label={newsletterText[name]}
                help={help}
                error={errors[name]}
                type="number"
                inputMode="numeric"
                min={NEWSLETTER_BOUNDS[name].least}
                max={NEWSLETTER_BOUNDS[name].most}
                value={Number.isNaN(setting[name]) ? '' : (setting[name] ?? '')}
                onChange={({ currentTarget: { value, valueAsNumber } }) =>
                  change({ [name]: value === '' && name in OPTIONAL ? undefined : valueAsNumber })
                }
              />
            ))}
          </>
        )}
      </div>
      <Banner message={work.failure} className="my-3 empty:hidden" />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={work.busy !== ''} aria-disabled={work.busy !== '' || !isChanged || undefined}>
          {work.busy === 'save' ? newsletterText.saving : newsletterText.save}
        </Button>
        <p role="status" className="min-w-0 text-base text-soft">
          {isChanged ? newsletterText.unsaved : work.said}
        </p>
      </div>
    </form>
  );
}

const OPTIONAL = { perHour: true, perDay: true };
