import { settingsText } from '#blog/messages/settings.ts';
import { SETTING_NAMES, type SettingName, type Settings } from '#blog/site-settings/settings.ts';

/** Returns a setting's name on the screen; a name that this version does not know stays as it is. */
export const nameOfSetting = (name: string): string => settingsText.names[name as SettingName] ?? name;

/** Returns the names of the settings in which two versions differ. */
export const differences = (one: Settings, other: Settings): SettingName[] =>
  SETTING_NAMES.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
