import type { APIRoute } from 'astro';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';
import { webhookEndpoint } from '#publishing/endpoints/webhook.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  webhookEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
