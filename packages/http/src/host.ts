/** A name or an IPv4 address, or an IPv6 one, with or without a port (RFC 9110, 7.2). */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Tests the value of a `Host` header. */
export const isHost = (value: string): boolean => HOST.test(value) && URL.canParse(`http://${value}`);

/**
 * Tests whether a URL has the site's public origin, or the called host if that is another name. The scheme counts for the
 * public origin only: a proxy may end TLS.
 */
export function isOwnOrigin(address: string, siteUrl: string, calledHost: string | null | undefined): boolean {
  const url = URL.parse(address);
  const site = new URL(siteUrl);
  return url !== null && (url.origin === site.origin || (url.host === calledHost && url.hostname !== site.hostname));
}
