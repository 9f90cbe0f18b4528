/** Renders the site's pages as a guest sees them: a fixed origin, no cookies, no query, whoever asks. */
import { createApp } from 'astro/app/entrypoint';

/** Gives the function that renders a path of the site at `siteUrl`. */
export function createRender(siteUrl: string): (path: string) => Promise<Response> {
  const app = createApp({ streaming: false });
  return (path) => {
    const request = new Request(new URL(path, siteUrl));
    return app.render(request, { addCookieHeader: true, clientAddress: '127.0.0.1' });
  };
}
