/** A name or an IPv4 address, or an IPv6 one, with or without a port (RFC 9110, 7.2). */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Whether the value of a `Host` header names a host. */
export const isHost = (value: string): boolean => HOST.test(value) && URL.canParse(`http://${value}`);
