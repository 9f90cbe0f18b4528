/** Renders the site's pages as a guest sees them: a fixed origin, no cookies, no query, whoever asks. */
import { createApp } from 'astro/app/entrypoint';

export interface Pages {
  /** Renders a path of the site. */
  readonly render: (path: string) => Promise<Response>;
  /** Loads the modules of all pages, islands' and error pages too: a build that takes their place must not be missed. */
  readonly load: () => Promise<void>;
}

/** The pages of the site at `siteUrl`. */
export function openPages(siteUrl: string): Pages {
  const app = createApp({ streaming: false });
  return {
    render(path) {
      const request = new Request(new URL(path, siteUrl));
      return app.render(request, { addCookieHeader: true, clientAddress: '127.0.0.1', locals: { forStore: true } });
    },
    async load() {
      const { actions, cacheProvider, middleware, pageMap, serverIslandMappings, sessionDriver } = app.manifest;
      const parts = [actions, cacheProvider, middleware, serverIslandMappings, sessionDriver];
      for (const load of [...parts, ...(pageMap?.values() ?? [])]) await load?.();
    },
  };
}
