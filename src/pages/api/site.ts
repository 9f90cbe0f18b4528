import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { changeWritersEndpoint, siteStateEndpoint } from '#publishing/endpoints/people.ts';

export const GET: APIRoute = ({ request, clientAddress, locals }) =>
  siteStateEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  changeWritersEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('GET, POST');
