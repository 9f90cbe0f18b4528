import * as z from 'zod/mini';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { settingsText } from '#blog/messages/settings.ts';
import { RHYTHMS } from '#blog/newsletter/newsletter.ts';
import {
  CONTACT_MAX,
  NEWSLETTER_BOUNDS,
  SETTINGS,
  type Settings,
  type SettingsState,
} from '#blog/site-settings/settings.ts';
import { Field } from '#components/controls/Field.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import { saveSettings } from '#stores/settings.ts';
import { StatusForm, useForm } from '../../use-form.tsx';

interface NewsletterFormProps {
  readonly saved: SettingsState['current'];
  readonly onSaved: (settings: SettingsState) => void;
}

const NUMBERS = [
  ['delay', newsletterText.delayHelp],
  ['perMinute', ''],
  ['perHour', newsletterText.rateHelp],
  ['perDay', newsletterText.rateHelp],
] as const;

/** Returns the initial values of the form's fields. An empty rhythm means that the newsletter is off. */
const valuesOf = (setting: Settings['newsletter']) => ({
  rhythm: `${setting?.rhythm ?? ''}`,
  contact: setting?.contact ?? '',
  delay: `${setting?.delay ?? 10}`,
  perMinute: `${setting?.perMinute ?? 10}`,
  perHour: `${setting?.perHour ?? ''}`,
  perDay: `${setting?.perDay ?? ''}`,
});

function settingOf({ rhythm, contact, ...numbers }: ReturnType<typeof valuesOf>) {
  if (rhythm === '') return undefined;
  const set = Object.entries(numbers).filter(([, text]) => text !== '');
  return { rhythm, contact, ...Object.fromEntries(set.map(([name, text]) => [name, Number(text)])) };
}

const schema = z.pipe(z.transform(settingOf), z.optional(SETTINGS.newsletter));

export function NewsletterForm({ saved: { version, settings }, onSaved }: NewsletterFormProps) {
  const form = useForm({
    schema,
    initial: valuesOf(settings.newsletter),
    submit: async (newsletter, fields) => {
      if (!isChanged) return {};
      const state = await saveSettings({ base: version, settings: { ...settings, newsletter } });
      fields.set(valuesOf(state.current.settings.newsletter));
      onSaved(state);
      return { success: newsletterText.saved };
    },
    message: newsletterMessage,
  });
  const { values, field } = form;
  const isOn = values.rhythm !== '';
  const isChanged = JSON.stringify(settingOf(values)) !== JSON.stringify(settingOf(valuesOf(settings.newsletter)));
  return (
    <section className="min-w-0">
      <h2 className="mb-4 text-xl">{newsletterText.newsletter}</h2>
      <StatusForm
        form={isChanged ? { ...form, success: settingsText.unsaved } : form}
        labels={[settingsText.save, settingsText.saving]}
        tone="primary"
        isReady={isChanged}
      >
        <div className="grid max-w-[40rem] gap-x-6 gap-y-1 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <SelectField
              label={newsletterText.rhythm}
              help={isOn ? newsletterText.rhythmHelp : newsletterText.isOff}
              choices={[
                ['', newsletterText.off],
                ...RHYTHMS.map((name) => [name, newsletterText.rhythms[name]] as const),
              ]}
              {...field('rhythm')}
            />
          </div>
          {isOn && (
            <>
              <div className="sm:col-span-2">
                <Field
                  label={newsletterText.contact}
                  help={newsletterText.contactHelp}
                  maxLength={CONTACT_MAX}
                  dir="auto"
                  autoComplete="off"
                  {...field('contact')}
                />
              </div>
              {NUMBERS.map(([name, help]) => (
                <Field
                  key={name}
                  label={newsletterText[name]}
                  help={help}
                  type="number"
                  inputMode="numeric"
                  min={NEWSLETTER_BOUNDS[name].least}
                  max={NEWSLETTER_BOUNDS[name].most}
                  {...field(name)}
                />
              ))}
            </>
          )}
        </div>
      </StatusForm>
    </section>
  );
}
