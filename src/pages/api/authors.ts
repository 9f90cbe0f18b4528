import type { APIRoute } from 'astro';
import { authorNamesEndpoint } from '#publishing/endpoints/author-names.ts';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { authorNames } from '../_list.ts';

export const GET: APIRoute = ({ request, clientAddress, locals }) =>
  authorNamesEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing?.limits, async (slugs) => {
    const posts = await locals.reader.postsBySlug(slugs);
    const ids = posts.map(({ userId }) => userId);
    return (await authorNames(locals.reader, ids)).authors;
  });

export const ALL: APIRoute = () => methodNotAllowed('GET');
