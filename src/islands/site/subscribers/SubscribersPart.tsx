import { useEffect, useState } from 'react';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { peopleText } from '#blog/messages/people.ts';
import type { NewsletterState } from '#blog/newsletter/newsletter.ts';
import type { SettingsState } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { newsletterState } from '#stores/newsletter.ts';
import { saveSettings, settingsState } from '#stores/settings.ts';
import { useWork } from '../../use-work.ts';
import { Issues } from './Issues.tsx';
import { NewsletterForm } from './NewsletterForm.tsx';
import { SubscriberList } from './SubscriberList.tsx';
import { SubscriberNumbers } from './SubscriberNumbers.tsx';

/** The newsletter of the site: its settings, its subscribers, and what was sent to them. */
export function SubscribersPart() {
  const [state, setState] = useState<NewsletterState>();
  const [settings, setSettings] = useState<SettingsState>();
  const work = useWork(newsletterMessage);

  const reload = async () => setState(await newsletterState());
  const load = () => work.run('load', () => Promise.all([reload(), settingsState().then(setSettings)]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the part is shown.
  useEffect(() => void load(), []);

  if (!state || !settings) {
    if (!work.failure) return <Spinner label={peopleText.loading} className="py-16" />;
    return (
      <>
        <Banner message={work.failure} />
        <Button tone="quiet" className="mt-4" onClick={() => void load()}>
          {peopleText.retry}
        </Button>
      </>
    );
  }
  const { current } = settings;
  const isOn = state.sendsMail && current.settings.newsletter !== undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      {!state.sendsMail && <Banner message={newsletterText.needsMail} />}
      <NewsletterForm
        // Resets the form after each save.
        key={current.version}
        saved={current.settings.newsletter}
        work={work}
        onSave={(newsletter) =>
          work.run(
            'save',
            async () => {
              const asked = { base: current.version, settings: { ...current.settings, newsletter } };
              setSettings(await saveSettings(asked));
            },
            newsletterText.saved,
          )
        }
      />
      <SubscriberNumbers state={state} />
      <SubscriberList canAdd={isOn} onChanged={reload} />
      <Issues issues={state.issues} onChanged={reload} />
    </div>
  );
}
