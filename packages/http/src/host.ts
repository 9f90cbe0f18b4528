const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Accepts a name, an IPv4 or an IPv6 address, with or without a port (RFC 9110, 7.2). */
export const isHost = (value: string): boolean => HOST.test(value) && URL.canParse(`http://${value}`);

/**
 * Returns true for the site's origin. If the client addressed the server by another host name, also returns true for
 * that host with any scheme, because a proxy may terminate TLS.
 */
export function isOwnOrigin(address: string, siteUrl: string, calledHost: string | null | undefined): boolean {
  const url = URL.parse(address);
  const site = new URL(siteUrl);
  return url !== null && (url.origin === site.origin || (url.host === calledHost && url.hostname !== site.hostname));
}
