import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { revalidateEndpoint } from '#publishing/endpoints/revalidate.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  revalidateEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
