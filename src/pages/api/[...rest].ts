/** Whoever calls an endpoint reads JSON, where there is none as well. */
import type { APIRoute } from 'astro';
import { routeErrorText } from '#blog/page-texts.ts';
import { json } from '#publishing/endpoints/json-endpoint.ts';

export const ALL: APIRoute = () => json(404, { error: routeErrorText.noRoute });
