import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createClientOf, isProxy, networkOf, siteOf } from './client-address.ts';

function requestFrom(address: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage {
  const values = { remoteAddress: { value: address }, encrypted: { value: encrypted } };
  return Object.assign(new IncomingMessage(Object.defineProperties(new Socket(), values)), { headers });
}

const told = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
const ofNone = createClientOf([]);
const behind = createClientOf(['loopback', '10.1.0.0/16', '2001:db8::5']);

test.each([
  ['without proxies believes no header', ofNone, '192.0.2.1', told, '192.0.2.1', false],
  ['without proxies believes no header from loopback', ofNone, '127.0.0.1', told, '127.0.0.1', false],
  ['returns IPv4 on an IPv6 socket in its plain form', ofNone, '::ffff:192.0.2.1', {}, '192.0.2.1', false],
  ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.255.255', '2001:db8::5'].map(
    (proxy) => [`believes ${proxy}`, behind, proxy, told, '203.0.113.9', true] as const,
  ),
  ...['10.2.0.0', '192.0.2.1', '2001:db8::6'].map(
    (stranger) => [`does not believe ${stranger}`, behind, stranger, told, stranger, false] as const,
  ),
] as const)('%s', (_, clientOf, remote, headers, address, secure) =>
  expect(clientOf(requestFrom(remote, headers))).toEqual({ address, secure }),
);

test('counts TLS of the socket as secure', () => expect(ofNone(requestFrom('192.0.2.1', {}, true)).secure).toBe(true));

test.each([
  // A client may prepend its own entries. All trusted proxies at the end of the list are skipped.
  ['198.51.100.7, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, 10.1.0.3, 10.1.0.2', '203.0.113.9'],
  ['', '127.0.0.1'],
  ['nonsense', '127.0.0.1'],
  ['nonsense, 10.1.0.2', '10.1.0.2'],
  ['203.0.113.9:5311', '203.0.113.9'],
  ['[2001:db8::9]:443', '2001:db8::9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
])('reads X-Forwarded-For %j as %s', (list, address) =>
  expect(behind(requestFrom('127.0.0.1', { 'x-forwarded-for': list })).address).toBe(address),
);

test('reads the client’s address from the header that the host sets, and from no other', () => {
  const onFly = createClientOf(['private'], 'Fly-Client-IP');
  const headers = { 'fly-client-ip': '203.0.113.9', 'x-forwarded-for': '203.0.113.9, 66.241.124.230' };
  expect(onFly(requestFrom('172.16.2.2', headers)).address).toBe('203.0.113.9');
  expect(onFly(requestFrom('192.0.2.1', headers)).address).toBe('192.0.2.1');
  expect(onFly(requestFrom('172.16.2.2', { 'x-forwarded-for': '203.0.113.9' })).address).toBe('172.16.2.2');
});

test.each(Object.entries({ HTTPS: true, 'https, http': false, http: false }))(
  'takes the nearest proxy’s protocol: %s',
  (proto, secure) => expect(behind(requestFrom('127.0.0.1', { 'x-forwarded-proto': proto })).secure).toBe(secure),
);

test('refuses an invalid entry by name', () => {
  expect(() => createClientOf(['proxy.example.com'])).toThrow('"proxy.example.com" is no proxy');
  expect(['loopback', 'private', '10.0.0.0/32', '::/0', '1.2.3.4'].every(isProxy)).toBe(true);
  expect(['10.0.0.0/33', '::/129', '10.0.0.0/8/8', 'x', ''].some(isProxy)).toBe(false);
});

test('counts an IPv6 network of 64 bits as one client, and each IPv4 address', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:DB8:1:2::9')).toBe(networkOf('2001:0db8:0001:0002:ffff::'));
  expect(networkOf('2001:db8:1:3::9')).not.toBe(networkOf('2001:db8:1:2::9'));
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('')).toBe('');
});

test('groups IPv6 networks of 48 bits, and leaves an IPv4 address alone', () => {
  expect(siteOf(networkOf('2001:db8:1:2:3:4:5:6'))).toBe('2001:db8:1::/48');
  expect(siteOf(networkOf('2001:db8:1:ffff::9'))).toBe('2001:db8:1::/48');
  expect(siteOf(networkOf('2001:db8:2::9'))).toBe('2001:db8:2::/48');
  expect(siteOf('192.0.2.1')).toBe('192.0.2.1');
});
