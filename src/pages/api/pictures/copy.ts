import type { APIRoute } from 'astro';
import { copyPictureEndpoint } from '#publishing/endpoints/copy-picture.ts';
import { methodNotAllowed } from '#publishing/endpoints/json-endpoint.ts';

export const POST: APIRoute = ({ request, clientAddress, locals }) =>
  copyPictureEndpoint(request, locals.addressOf(request, clientAddress), locals.publishing);

export const ALL: APIRoute = () => methodNotAllowed('POST');
