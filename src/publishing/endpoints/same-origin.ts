/** Refuses what another site's page sends with our reader's cookies. */
import { EndpointError } from './json.ts';

/**
 * Browsers name the origin on every POST, and `Sec-Fetch-Site` where they know it. A caller that names neither is no
 * browser and carries nobody's cookies but its own.
 * @throws EndpointError 403
 */
export function requireSameOrigin(request: Request, siteUrl: string): void {
  const refused = new EndpointError(403, 'This may be called by the site’s own pages only.');
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refused;
  const origin = request.headers.get('origin');
  if (origin === null) return;
  // A proxy may end TLS before us, so the site is known by its host, under its public name or the one that was called.
  const hosts = [new URL(siteUrl).host, request.headers.get('host')];
  if (!URL.canParse(origin) || !hosts.includes(new URL(origin).host)) throw refused;
}
