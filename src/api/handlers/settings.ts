/** Handles the owner's settings. The route table admits owners only, and the backend checks the right to save. */
import { settingsText } from '#blog/messages/settings.ts';
import { type SaveSettings, type Settings, settingsIn } from '#blog/site-settings/settings.ts';
import { SETTINGS_MAX_CHARACTERS } from '#blog/site-settings/stored.ts';
import { requestWith } from '../form.ts';
import { ApiError, bodyOf, type JsonObject, json } from '../json.ts';
import type { ApiLimits } from '../limits.ts';
import type { Call } from '../route.ts';
import { storedPathOf } from './rebuild.ts';

/** Enough for `SETTINGS_MAX_CHARACTERS` in UTF-8, at up to three bytes each. */
export const SETTINGS_MAX_BYTES = 600 * 1024;

export const settingsState = async ({ site }: Call<'settings'>): Promise<Response> =>
  json(200, await site.settings.state());

/** Saves the settings and responds once the home page shows them, or with 409 if another tab or device saved first. */
export async function saveSettings({ request, site, userId, body }: Call<'settings', SaveSettings>): Promise<Response> {
  if (JSON.stringify(body.settings).length > SETTINGS_MAX_CHARACTERS) throw new ApiError(413, settingsText.tooLarge);
  if (!(await site.settings.save(request.headers, userId, body))) throw new ApiError(409, settingsText.savedElsewhere);
  await site.revalidate({ settings: true, from: 'backend' });
  return json(200, await site.settings.state());
}

/** Returns the valid settings. Drops invalid ones, which the owner may still be typing. */
export const unsavedSettings = ({ settings }: JsonObject): Settings =>
  settingsIn(JSON.stringify(settings ?? {})).settings;

const NOT_FRAMED = "frame-ancestors 'none'";

/** Renders the page at `?path=` as it would look with these settings. Only this site's own pages may frame it. */
export async function previewSettings({ site, query, body }: Call<'settings', Settings>): Promise<Response> {
  const page = await site.settings.preview(storedPathOf(query.get('path') ?? '/'), body);
  const policy = page.headers.get('content-security-policy') ?? NOT_FRAMED;
  return new Response(page.body, {
    status: page.status,
    headers: {
      'content-type': page.headers.get('content-type') ?? 'text/html',
      'content-security-policy': policy.replace(NOT_FRAMED, "frame-ancestors 'self'"),
      'cache-control': 'no-store',
    },
  });
}

const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * Turns a form submission into a JSON request. The preview posts a form, because only a form can load the response to a
 * POST into a frame. The field `jwt` identifies the owner if the session cookie belongs to another origin.
 */
export async function settingsOfForm(request: Request, { previewBodies }: ApiLimits): Promise<Request> {
  if (!FORM.test(request.headers.get('content-type') ?? '')) return request;
  const body = await bodyOf(request, 3 * SETTINGS_MAX_BYTES, previewBodies);
  const form = new URLSearchParams(body.toString());
  return requestWith(request, `{"settings":${form.get('settings') || '{}'}}`, form.get('jwt'));
}
