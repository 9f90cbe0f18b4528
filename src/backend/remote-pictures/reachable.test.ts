import { expect, test } from 'vitest';
import { allowing, isIn, isPublic } from './reachable.ts';

test.each([
  ['the machine itself', '127.0.0.1', '127.255.255.254', '0.0.0.0', '::1', '::'],
  ['private networks', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1'],
  ['a link', '169.254.1.1', 'fe80::1', 'fec0::1'],
  ['what clouds tell their machines', '169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'],
  ['a provider’s own network', '100.64.0.1', '100.127.255.255'],
  ['many at once', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  ['examples, tests, protocols', '192.0.2.1', '198.18.0.1', '203.0.113.9', '2001:db8::1', '2001::1', '100::1'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.1.2.3', '64:ff9b::a00:1', '::127.0.0.1'],
  ['IPv4 in tunnels', '2002:7f00:1::', '64:ff9b:1::a00:1'],
  ['no address', 'localhost', '', '127.1', '1.2.3'],
])('%s is not public', (_what, ...addresses) => expect(addresses.filter(isPublic)).toEqual([]));

test('hosts of the internet are, up to the borders of what is not', () => {
  const hosts = [
    ...['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '168.63.129.17'],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '1.0.0.1'],
    ...['223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '2001:200::1'],
  ];
  expect(hosts.filter((host) => !isPublic(host))).toEqual([]);
});

test('an operator allows hosts by name and networks', () => {
  const { hosts, networks } = allowing(['Wiki.intra', 'pictures', '10.1.0.0/16', '192.168.0.7', 'fd00:1::/32']);
  expect([...hosts]).toEqual(['wiki.intra', 'pictures']);
  const inside = ['10.1.255.255', '192.168.0.7', 'fd00:1::9', '10.2.0.0', '192.168.0.8', 'fd00:2::', 'wiki.intra'];
  expect(inside.filter((address) => isIn(networks, address))).toEqual(inside.slice(0, 3));
});

test('what is neither is refused', () => {
  const networks = ['10.1.0.0/33', '10.1', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129'];
  for (const entry of ['*.intra', 'http://x', ...networks, 'a b', '-x', ''])
    expect(() => allowing([entry]), entry).toThrow(TypeError);
});
