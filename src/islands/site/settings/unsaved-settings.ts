/** Keeps the form's unsaved settings on the device, so that leaving the form does not lose them. */
import { SETTING_NAMES, type SettingName, type Settings } from '#blog/site-settings/settings.ts';
import { store, stored } from '#stores/web-storage.ts';

const KEY = 'common-ink:unsaved-settings';

export const changedSettings = (one: Settings, other: Settings): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));

/** Returns the saved settings with the unsaved changes kept on this device. */
export function withUnsaved(saved: Settings): Settings {
  try {
    const kept: Readonly<Record<string, unknown>> = JSON.parse(stored('localStorage', KEY) ?? '{}');
    const changed = SETTING_NAMES.filter((name) => name in kept).map((name) => [name, kept[name] ?? undefined]);
    return { ...saved, ...Object.fromEntries(changed) };
  } catch {
    return saved;
  }
}

/** Stores the settings that differ from `saved`; a removed setting is stored as null. */
export function keepUnsaved(saved: Settings, settings: Settings): void {
  const changed = changedSettings(saved, settings).map((name) => [name, settings[name] ?? null]);
  store('localStorage', KEY, changed.length === 0 ? null : JSON.stringify(Object.fromEntries(changed)));
}
