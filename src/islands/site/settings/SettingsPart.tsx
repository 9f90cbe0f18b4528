import { useEffect, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { settingsText } from '#blog/messages/settings.ts';
import type { Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { saveSettings, settingsState } from '#stores/settings.ts';
import { useWork } from '../../use-work.ts';
import { FormerSettings } from './FormerSettings.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { settingsMessage } from './setting-field.ts';

/** The site's settings in one form, and their former versions. */
export function SettingsPart() {
  const [state, setState] = useState<SettingsState>();
  const work = useWork(settingsMessage);

  const load = () => work.run('load', async () => setState(await settingsState()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the part is shown.
  useEffect(() => void load(), []);

  if (!state) {
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
  const { current, former } = state;
  const save = (settings: Settings, said: string) =>
    work.run('save', async () => setState(await saveSettings({ base: current.version, settings })), said);
  const last = former[0]?.settings ?? {};
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      <SettingsForm
        // Resets the form after each save.
        key={current.version}
        state={state}
        work={work}
        onSave={(settings) => save(settings, settingsText.saved)}
        onUndo={current.version > 0 ? () => save(last, settingsText.undone) : undefined}
      />
      <FormerSettings
        state={state}
        isBusy={work.busy !== ''}
        onTakeBack={(settings) => save(settings, settingsText.takenBack)}
      />
    </div>
  );
}
