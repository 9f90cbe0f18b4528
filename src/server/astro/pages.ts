/** The site's pages as Astro built them. Whoever asks for one gives the locals: the pages keep nothing of a site. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createApp } from 'astro/app/entrypoint';
import { createRequestFromNodeRequest, writeResponse } from 'astro/app/node';

/** What pages and endpoints find, but for what a kind of request adds. */
export type PageLocals = Omit<App.Locals, 'forStore'>;

export interface Pages {
  /** Renders a path as a guest sees it: at `locals.site.url`, no cookies, no query, whoever asks. */
  readonly render: (path: string, locals: PageLocals) => Promise<Response>;
  /** Answers a request. Rejects when that fails. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, locals: PageLocals) => Promise<void>;
  /** Loads the modules of all pages, islands' and error pages too: a build that takes their place must not be missed. */
  readonly load: () => Promise<void>;
}

/** The pages of this build. Each request has a copy of its locals, so that none sees what another has changed. */
export function openPages(): Pages {
  // No page goes out before it is whole: the store keeps it, or the middleware compresses it.
  const app = createApp({ streaming: false });
  return {
    render: (path, locals) =>
      app.render(new Request(new URL(path, locals.site.url)), {
        addCookieHeader: true,
        clientAddress: '127.0.0.1',
        locals: { ...locals, forStore: true },
      }),
    async handle(request, response, locals) {
      const asked = createRequestFromNodeRequest(request, { allowedDomains: app.getAllowedDomains?.() ?? [] });
      const answer = await app.render(asked, { addCookieHeader: true, locals: { ...locals } });
      await writeResponse(answer, response);
    },
    async load() {
      const { actions, cacheProvider, middleware, pageMap, serverIslandMappings, sessionDriver } = app.manifest;
      const parts = [actions, cacheProvider, middleware, serverIslandMappings, sessionDriver];
      for (const load of [...parts, ...(pageMap?.values() ?? [])]) await load?.();
    },
  };
}
