/** Id of the collection with versions of the owners' settings (docs/decisions/027-settings.md). */
export const SETTINGS_ID = 'settings';

/** Maximum length of a version as JSON, in characters. */
export const SETTINGS_MAX_CHARACTERS = 200_000;
