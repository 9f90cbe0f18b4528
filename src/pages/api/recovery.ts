import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { mailStateEndpoint, recoveryEndpoint } from '#publishing/endpoints/recovery.ts';

export const GET: APIRoute = ({ locals }) => mailStateEndpoint(locals.publishing);

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  recoveryEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('GET, POST');
