import type { APIRoute } from 'astro';
import { pagesEndpoint } from '#publishing/endpoints/explain-page.ts';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';

export const GET: APIRoute = ({ request, clientAddress, locals }) =>
  pagesEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('GET');
