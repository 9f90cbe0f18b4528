import { settingsText } from '#blog/messages/settings.ts';
import type { Settings } from '#blog/site-settings/settings.ts';
import { saveSettings, settingsState } from '#stores/settings.ts';
import { usePart } from '../use-part.tsx';
import { FormerSettings } from './FormerSettings.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { settingsMessage } from './setting-field.ts';

export function SettingsPart() {
  const { state, setState, work, waiting } = usePart(settingsState, settingsMessage);
  if (!state) return waiting;
  const { current, former } = state;
  const save = (settings: Settings, said: string) =>
    work.run('save', async () => setState(await saveSettings({ base: current.version, settings })), said);
  const last = former[0]?.settings ?? {};
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      <SettingsForm
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
