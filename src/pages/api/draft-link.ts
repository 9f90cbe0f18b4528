import type { APIRoute } from 'astro';
import { draftLinkEndpoint } from '#publishing/endpoints/draft-link.ts';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  draftLinkEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
