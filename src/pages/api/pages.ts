import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json.ts';
import { pagesEndpoint } from '#publishing/endpoints/pages.ts';

export const GET: APIRoute = ({ request, clientAddress, locals }) =>
  pagesEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('GET');
