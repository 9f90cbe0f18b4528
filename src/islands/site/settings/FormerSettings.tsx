import { settingsText } from '#blog/messages/settings.ts';
import {
  SETTING_NAMES,
  type SettingName,
  type Settings,
  type SettingsState,
  type SettingsVersion,
} from '#blog/site-settings/settings.ts';
import { Button } from '#components/controls/Button.tsx';
import { dateTimeText } from '../../post-form/format-time.ts';
import { nameOfSetting } from './setting-field.ts';

const DEFAULTS = { settings: {} } as const;

interface Change {
  readonly version: SettingsVersion;
  readonly before: Settings;
  readonly names: readonly SettingName[];
}

/** Returns what each version changed, newest first. The version before the oldest known one is unknown. */
function changesOf({ current, former }: SettingsState): Change[] {
  const versions = [current, ...former];
  return versions.flatMap((version, at) => {
    const before = versions[at + 1] ?? (version.version === 1 ? DEFAULTS : undefined);
    if (!before || version.version === 0) return [];
    const textOf = ({ settings }: Pick<SettingsVersion, 'settings'>, name: SettingName) =>
      JSON.stringify(settings[name]);
    const names = SETTING_NAMES.filter((name) => textOf(version, name) !== textOf(before, name));
    return [{ version, before: before.settings, names }];
  });
}

interface FormerSettingsProps {
  readonly state: SettingsState;
  readonly isBusy: boolean;
  readonly onTakeBack: (settings: Settings) => Promise<unknown>;
}

/** Lists the last changes. Taking one back leaves later changes of other settings as they are. */
export function FormerSettings({ state, isBusy, onTakeBack }: FormerSettingsProps) {
  const changes = changesOf(state);
  if (changes.length === 0) return null;
  const takeBack = ({ before, names }: Change) =>
    onTakeBack({ ...state.current.settings, ...Object.fromEntries(names.map((name) => [name, before[name]])) });
  return (
    <section aria-labelledby="former-settings">
      <h2 id="former-settings" className="text-xl">
        {settingsText.history}
      </h2>
      <ul className="mt-3 list-none divide-y divide-hairline border-y border-hairline p-0">
        {changes.map((change) => {
          const { version, names } = change;
          const time = dateTimeText(version.savedAt);
          return (
            <li key={version.version} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <div className="min-w-0 text-base wrap-anywhere">
                <p>{names.map(nameOfSetting).join(', ') || settingsText.noChange}</p>
                <p className="text-sm text-soft">{[version.userName, time].filter(Boolean).join(' · ')}</p>
              </div>
              {names.length > 0 && (
                <Button
                  tone="quiet"
                  busy={isBusy}
                  aria-label={settingsText.takeBackOf({ time })}
                  onClick={() => void takeBack(change)}
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
