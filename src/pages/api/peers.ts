import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { peersEndpoint } from '#publishing/endpoints/receive-peer-message.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  peersEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
