import type { IncomingMessage, ServerResponse } from 'node:http';
import { createApp } from 'astro/app/entrypoint';
import { createRequestFromNodeRequest, writeResponse } from 'astro/app/node';

export type PageLocals = Omit<App.Locals, 'forStore'>;

export function openPages() {
  // Does not stream, because pages are stored or compressed as a whole.
  const app = createApp({ streaming: false });
  return {
    /** Renders a path for the page store, as a guest sees it at `locals.site.url`. */
    render: (path: string, locals: PageLocals): Promise<Response> =>
      app.render(new Request(new URL(path, locals.site.url)), {
        addCookieHeader: true,
        clientAddress: '127.0.0.1',
        locals: { ...locals, forStore: true },
      }),
    async handle(request: IncomingMessage, response: ServerResponse, locals: PageLocals): Promise<void> {
      const asked = createRequestFromNodeRequest(request, { allowedDomains: app.getAllowedDomains?.() ?? [] });
      const answer = await app.render(asked, { addCookieHeader: true, locals: { ...locals } });
      await writeResponse(answer, response);
    },
    /** Loads the modules of all pages, so that a new build may replace their files while this server runs. */
    async load(): Promise<void> {
      const { actions, cacheProvider, middleware, pageMap, serverIslandMappings, sessionDriver } = app.manifest;
      const parts = [actions, cacheProvider, middleware, serverIslandMappings, sessionDriver];
      for (const load of [...parts, ...(pageMap?.values() ?? [])]) await load?.();
    },
  };
}
