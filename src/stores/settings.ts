/** The owner's settings. All requests go to the site's own server. */

import { identityHeaders } from '#backend/browser.ts';
import type { SaveSettings, SettingsState } from '#blog/site-settings/settings.ts';
import { ask } from './people.ts';

export const settingsState = (): Promise<SettingsState> => ask('/api/settings');

/** Saves the settings. Resolves when the home page shows them. */
export const saveSettings = (saved: SaveSettings): Promise<SettingsState> => ask('/api/settings', saved);

/** Returns the session's token for a form, which cannot set headers; empty if the session is a cookie of this site. */
export const formToken = async (): Promise<string> => (await identityHeaders())['X-Appwrite-JWT'] ?? '';
