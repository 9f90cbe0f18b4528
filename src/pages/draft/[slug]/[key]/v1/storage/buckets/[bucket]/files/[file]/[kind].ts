/** A picture of a draft, for whoever has its link: the backend shows it to its author alone. */
import type { APIRoute } from 'astro';
import { draftPicture } from '#api/open-draft.ts';

export const GET: APIRoute = ({ params, url, request, clientAddress, locals }) =>
  draftPicture(locals.publishing, locals.addressOf(request, clientAddress), params, url.searchParams);
