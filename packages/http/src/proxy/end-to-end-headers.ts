import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers that apply to a single connection and that a proxy must not forward (RFC 9110, 7.6.1). */
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

export function endToEndHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(`${headers.connection ?? ''}`.toLowerCase().split(/\s*,\s*/));
  // Keeps `Content-Length` even if `Connection` lists it: without it, the upstream would read a body as a new request.
  named.delete('content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  ) as OutgoingHttpHeaders;
}
