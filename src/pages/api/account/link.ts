import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { openLinkEndpoint } from '#publishing/endpoints/people.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  openLinkEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
