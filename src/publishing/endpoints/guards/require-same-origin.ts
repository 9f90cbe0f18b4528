/** Refuses what another site's page sends with our reader's cookies. */
import { isOwnOrigin } from '@common-ink/http/host.ts';
import { EndpointError } from '../json-endpoint.ts';

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
  if (!isOwnOrigin(origin, siteUrl, request.headers.get('host'))) throw refused;
}
