/** Reads the headers in which trusted proxies pass on the client's address and protocol. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface Client {
  /** IPv4-mapped IPv6 addresses are converted to IPv4. Empty when the socket is closed. */
  readonly address: string;
  /** True if the browser connected over HTTPS, either to this server or to a trusted proxy. */
  readonly secure: boolean;
}

export type ClientOf = (request: IncomingMessage) => Client;

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
};

export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/**
 * Returns a client's rate-limit key: its IPv4 address, or its IPv6 /64, the usual network of a subscriber (RFC 6177).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Returns the /48 (a whole site, RFC 6177) that contains an IPv6 network from `networkOf`; returns IPv4 unchanged. */
export function siteOf(network: string): string {
  return network.endsWith('::/64') ? `${network.split(':', 3).join(':')}::/48` : network;
}

function add(list: BlockList, entry: string): boolean {
  const [network = '', bits, ...more] = entry.split('/');
  const version = isIP(network);
  if (version === 0 || more.length > 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) {
    list.addAddress(network, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  list.addSubnet(network, Number(bits), family);
  return true;
}

export function isProxy(entry: string): boolean {
  return entry in NAMED || add(new BlockList(), entry);
}

/** Returns a function that recognises the proxies' addresses. Throws TypeError naming an invalid entry. */
export function trusting(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of proxies.flatMap((name) => NAMED[name] ?? [name])) {
    if (!add(list, entry)) {
      throw new TypeError(
        `"${entry}" is no proxy: give an address, a network such as 10.0.0.0/8, loopback or private.`,
      );
    }
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Returns the address in an `X-Forwarded-For` entry, without its port; undefined if the entry is not an address. */
function forwardedAddress(entry: string): string | undefined {
  const bare = entry.trim();
  const address = /^\[(.+)\](?::\d+)?$/.exec(bare)?.[1] ?? (/^([\d.]+):\d+$/.exec(bare)?.[1] || bare);
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

function last(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.slice(text.lastIndexOf(',') + 1).trim();
}

/**
 * @param proxies addresses, networks (`10.0.0.0/8`), `loopback` or `private`
 * @param addressHeader the header with the client's address, such as `Fly-Client-IP`
 * @throws TypeError for any other entry in `proxies`
 */
export function createClientOf(proxies: readonly string[], addressHeader = 'X-Forwarded-For'): ClientOf {
  const addressKey = addressHeader.toLowerCase();
  const trusted = proxies.length > 0 ? trusting(proxies) : undefined;

  /** Returns the last address that is not a trusted proxy's, because each proxy appends the address of its client. */
  function beyondProxies(socketAddress: string, header: string | string[] | undefined): string {
    const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
    let address = socketAddress;
    while (trusted?.(address)) {
      const next = forwardedAddress(entries.pop() ?? '');
      if (next === undefined) break;
      address = next;
    }
    return address;
  }

  return ({ socket, headers }) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const encrypted = (socket as Partial<TLSSocket>).encrypted === true;
    if (!trusted?.(address)) return { address, secure: encrypted };
    return {
      address: beyondProxies(address, headers[addressKey]),
      secure: encrypted || last(headers['x-forwarded-proto']).toLowerCase() === 'https',
    };
  };
}
