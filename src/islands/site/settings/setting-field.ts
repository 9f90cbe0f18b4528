import type { SettingName, Settings } from '#blog/site-settings/settings.ts';

/** What each field gets: the stored value, what holds without one, and the operator's word. */
export interface SettingField<Name extends SettingName> {
  readonly value: Settings[Name];
  readonly effective: Settings[Name];
  readonly isFixed: boolean;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: Settings[Name]) => void;
}
