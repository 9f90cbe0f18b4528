import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json.ts';
import { peersEndpoint } from '#publishing/endpoints/peers.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  peersEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
