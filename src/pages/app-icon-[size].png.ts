/** The icon of the installed app: the site's icon on the background colour of the light theme. */
import type { APIRoute } from 'astro';
import { APP_ICON_SIZES } from '#blog/routes/paths.ts';
import { appIcon } from '#blog/theme/app-icon.ts';

export const GET: APIRoute = async ({ params, locals: { theme }, rewrite }) => {
  const size = APP_ICON_SIZES.find((each) => `${each}` === params.size);
  if (!size) return rewrite('/404');
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' };
  return new Response(await appIcon(theme, size), { headers });
};
