/** Routes for ping, health and version (contract 2.9). */
import { AppwriteError } from './errors.ts';
import { optional, text } from './params.ts';
import { VERSION } from './request-context.ts';
import { endpoint, ok, type Route, route } from './route.ts';

const PONG = 'Pong!';

export function healthRoutes(projectId: string): Route[] {
  return [
    route({
      method: 'GET',
      path: '/ping',
      scope: 'global',
      withoutProject: true,
      params: { project: optional(text(36, { min: 0 }), '') },
      handle({ params, request, response }) {
        const project = params.project || request.headers['x-appwrite-project'];
        if (project !== projectId) throw new AppwriteError('project_not_found');
        response
          .writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8', 'Content-Length': PONG.length })
          .end(PONG);
        return undefined;
      },
    }),
    endpoint('GET /health/version', { scope: 'global', withoutProject: true }, {}, () => ok({ version: VERSION })),
    endpoint('GET /health', 'health.read', {}, () => ok({ name: 'http', ping: 0, status: 'pass' })),
  ];
}
