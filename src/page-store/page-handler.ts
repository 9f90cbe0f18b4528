import type { IncomingMessage, ServerResponse } from 'node:http';
import { canonical } from '#blog/routes/canonical.ts';
import type { PageStore } from './page-store.ts';

export interface PageHandlerOptions {
  readonly store: PageStore;
  /** Each returns the URL to redirect to: `targetOf` for a non-canonical path, `targetOfQuery` if there is a query. */
  readonly redirects: Readonly<Record<'targetOf' | 'targetOfQuery', (url: string) => Promise<string | undefined>>>;
  readonly refuse: (response: ServerResponse, status: 400 | 405) => void;
}

/** Creates a handler for pages, non-canonical forms of their paths and invalid paths. It returns false for the rest. */
export function createPageHandler({ store, redirects, refuse }: PageHandlerOptions) {
  async function redirectOnce(response: ServerResponse, url: string, address: string): Promise<void> {
    const target = await redirects.targetOf(url);
    const [path = ''] = address.split('?', 1);
    const isGone =
      target !== undefined && (await store.settle(path, 'checked before redirecting an old address')).kind === 'unkept';
    redirect(response, isGone ? target : address);
  }
  return function handlePage(request: IncomingMessage, response: ServerResponse): boolean {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const url = request.url ?? '/';
    const address = canonical(url);
    if (!address) return false;
    if (reads && 'page' in address && address.page === url) store.serve(request, response, url);
    else if (!reads && !('refused' in address)) {
      response.setHeader('Allow', 'GET, HEAD');
      refuse(response, 405);
    } else if ('page' in address || 'redirect' in address) {
      const answer = () => {
        if ('page' in address) store.serve(request, response, address.page);
        else void redirectOnce(response, url, address.redirect);
      };
      if (url.includes('?')) {
        void redirects
          .targetOfQuery(url)
          .then((target) => (target === undefined ? answer() : redirect(response, target)));
      } else answer();
    } else refuse(response, address.refused);
    return true;
  };
}

/** Sends a permanent redirect that is cached for only an hour, because a post may get this address later. */
function redirect(response: ServerResponse, location: string): void {
  response.writeHead(301, ['Location', location, 'Cache-Control', 'public, max-age=3600', 'Content-Length', '0']);
  response.end();
}
