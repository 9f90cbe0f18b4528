/** A name or an IPv4 address, or an IPv6 one, with or without a port (RFC 9110, 7.2). */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Whether the value of a `Host` header names a host. */
export const isHost = (value: string): boolean => HOST.test(value) && URL.canParse(`http://${value}`);

/**
 * Whether an address is one of this site's: of its public origin, or of the host that was called, where that is another
 * name. Of such a name the scheme is not known, since a proxy may end TLS before us; of the public one it counts.
 */
export function isOwnOrigin(address: string, siteUrl: string, calledHost: string | null | undefined): boolean {
  const url = URL.parse(address);
  const site = new URL(siteUrl);
  return url !== null && (url.origin === site.origin || (url.host === calledHost && url.hostname !== site.hostname));
}
