import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { rebuildEndpoint } from '#publishing/endpoints/rebuild.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  rebuildEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
