/** A draft's picture, for anyone with the draft's link; the backend itself shows it only to its author. */
import type { APIRoute } from 'astro';
import { draftPicture } from '#api/open-draft.ts';

export const GET: APIRoute = ({ params, url, request, clientAddress, locals }) =>
  draftPicture(locals.publishing, locals.addressOf(request, clientAddress), params, url.searchParams);
