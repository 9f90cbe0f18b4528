import type { APIRoute } from 'astro';
import { postTag } from '#blog/routes/tags.ts';
import { drawSharePicture } from '#blog/seo/share-picture.ts';
import { ONE_YEAR } from '../../_lists.ts';
import { kept } from '../../_stored.ts';

export const GET: APIRoute = (context) => {
  const { reader, site, theme } = context.locals;
  return kept(context, 'image/png', async () => {
    const post = await reader.post(context.params.slug ?? '');
    if (!post) return undefined;
    const body = await drawSharePicture(post.title, site.name, theme.palettes.light);
    return { body, cache: { maxAge: ONE_YEAR, tags: [postTag(post.id)] } };
  });
};
