import type { APIRoute } from 'astro';
import { importEndpoint, importStateEndpoint } from '#publishing/endpoints/import.ts';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';

export const GET: APIRoute = ({ request, clientAddress, locals }) =>
  importStateEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  importEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('GET, POST');
