import type { APIRoute } from 'astro';
import { deleteAccountEndpoint } from '#publishing/endpoints/delete-account.ts';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  deleteAccountEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
