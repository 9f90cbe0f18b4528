import { settingsText } from '#blog/messages/settings.ts';
import type { Settings, SettingsState } from '#blog/site-settings/settings.ts';
import { Button } from '#components/controls/Button.tsx';
import { saveSettings, settingsState } from '#stores/settings.ts';
import { dateTimeText } from '../../post-form/format-time.ts';
import { usePart } from '../../use-part.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { nameOfSetting, settingsMessage } from './setting-field.tsx';
import { changedSettings } from './unsaved-settings.ts';

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

/** Returns the settings that each version changed, newest first. Omits a version whose predecessor is not stored. */
function changesOf({ current, former }: SettingsState) {
  const versions = [current, ...former];
  return versions.flatMap((version, at) => {
    const before: Settings | undefined = versions[at + 1]?.settings ?? (version.version === 1 ? {} : undefined);
    if (!before || version.version === 0) return [];
    const names = changedSettings(version.settings, before);
    return [{ ...version, names, before: Object.fromEntries(names.map((name) => [name, before[name]])) }];
  });
}

interface FormerSettingsProps {
  readonly state: SettingsState;
  readonly isBusy: boolean;
  readonly onTakeBack: (settings: Settings) => Promise<unknown>;
}

/** Lists the most recent changes. Reverting a change keeps later changes to other settings. */
function FormerSettings({ state, isBusy, onTakeBack }: FormerSettingsProps) {
  const changes = changesOf(state);
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="former-settings">
      <h2 id="former-settings" className="text-xl">
        {settingsText.history}
      </h2>
      <ul className="mt-3 list-none divide-y divide-hairline border-y border-hairline p-0">
        {changes.map(({ version, savedAt, userName, names, before }) => {
          const time = dateTimeText(savedAt);
          return (
            <li key={version} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <div className="min-w-0 text-base wrap-anywhere">
                <p>{names.map(nameOfSetting).join(', ') || settingsText.noChange}</p>
                <p className="text-sm text-soft">{[userName, time].filter(Boolean).join(' · ')}</p>
              </div>
              {names.length > 0 && (
                <Button
                  tone="quiet"
                  busy={isBusy}
                  aria-label={settingsText.takeBackOf({ time })}
                  onClick={() => void onTakeBack({ ...state.current.settings, ...before })}
                >
                  {settingsText.takeBack}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
