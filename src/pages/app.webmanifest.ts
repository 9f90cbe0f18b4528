/** Describes the writers' pages as an installable app with which other apps can share text and pictures. */
import type { APIRoute } from 'astro';
import { language } from '#blog/messages/language.ts';
import { ADD_POST, ALL_POSTS, APP_ICON_SIZES, appIconPath, HOME } from '#blog/routes/paths.ts';

/** Accepted types as browsers expect them: media types and file name extensions. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', '.png', '.jpg', '.jpeg', '.gif'];

export const GET: APIRoute = ({ locals: { site, theme } }) => {
  const { paper } = theme.palettes.light;
  const manifest = {
    id: ALL_POSTS,
    name: site.name,
    short_name: site.name,
    lang: language(),
    start_url: ALL_POSTS,
    scope: HOME,
    display: 'standalone',
    theme_color: paper,
    background_color: paper,
    icons: APP_ICON_SIZES.flatMap((size) =>
      ['any', 'maskable'].map((purpose) => ({
        src: appIconPath(size),
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    ),
    share_target: {
      action: ADD_POST,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'pictures', accept: PICTURES }] },
    },
  };
  const headers = { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' };
  return new Response(JSON.stringify(manifest), { headers });
};
