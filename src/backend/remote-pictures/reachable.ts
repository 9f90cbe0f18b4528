/**
 * Decides which IP addresses the server may fetch pictures from on behalf of a writer: the public internet and the
 * hosts that the operator allows. Other addresses may belong to the server's own network.
 */
import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are not public (IANA's special-purpose registry), and cloud metadata services. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
/** Global IPv6 unicast, and its non-public ranges: IETF protocols (including Teredo), documentation, 6to4. */
const GLOBAL = '2000::/3';
const NOT_GLOBAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** Prefixes of IPv6 addresses that contain an IPv4 address: IPv4-mapped, and translated by NAT64 (RFC 6052). */
const MAPPED = '::ffff:';
const TRANSLATED = '64:ff9b::';

const forbidden = listOf([...NOT_PUBLIC, ...NOT_PUBLIC.flatMap(inIpv6), ...NOT_GLOBAL]);
const known = listOf([GLOBAL, `${MAPPED}0:0/96`, `${TRANSLATED}/96`]);

/** Hosts (at any port) and networks that the operator allows besides the public internet. */
export interface Allowed {
  readonly hosts: ReadonlySet<string>;
  readonly networks: BlockList;
}

/** Parses host names, addresses and networks (`10.0.0.0/8`). @throws TypeError naming an invalid entry */
export function allowing(entries: readonly string[]): Allowed {
  const networks = entries.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0);
  const hosts = entries.filter((entry) => !networks.includes(entry)).map((host) => host.toLowerCase());
  const bad = hosts.find((host) => !/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/.test(host) || /^[\d.]+$/.test(host));
  if (bad !== undefined) throw new TypeError(`"${bad}" is neither a host name nor a network.`);
  return { hosts: new Set(hosts), networks: listOf(networks) };
}

/** Returns true for a public IP address, and false for any other string. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !forbidden.check(address, 'ipv4');
  return isIP(address) === 6 && known.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
}

export const isIn = (networks: BlockList, address: string): boolean =>
  isIP(address) !== 0 && networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

function inIpv6(network: string): string[] {
  const [address, bits] = network.split('/');
  return [MAPPED, TRANSLATED].map((prefix) => `${prefix}${address}/${96 + Number(bits)}`);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/');
    const [family, most] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
    const length = bits === undefined ? most : Number(bits);
    if (more.length > 0 || bits === '' || !(Number.isInteger(length) && length >= 0 && length <= most)) {
      throw new TypeError(`"${network}" is no network.`);
    }
    list.addSubnet(address, length, family);
  }
  return list;
}
