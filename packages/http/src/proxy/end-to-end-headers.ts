/** What of a message's headers a proxy passes on. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers of one connection, not of the message (RFC 9110 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers without those of the connection, and without those that `Connection` names. */
export function endToEndHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(`${headers.connection ?? ''}`.toLowerCase().split(/\s*,\s*/));
  // Whatever a client names: a body that came with a length and goes on without it would be read as a request of its own.
  named.delete('content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  ) as OutgoingHttpHeaders;
}
