import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createClientOf, isProxy, networkOf, siteOf } from './client-address.ts';

function requestFrom(remoteAddress: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage {
  const socket = Object.defineProperties(new Socket(), {
    remoteAddress: { value: remoteAddress },
    encrypted: { value: encrypted },
  });
  return Object.assign(new IncomingMessage(socket), { headers });
}

const told = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };

describe('without trusted proxies', () => {
  const clientOf = createClientOf([]);

  test('takes the socket’s address and ignores the client’s headers', () => {
    expect(clientOf(requestFrom('192.0.2.1', told))).toEqual({ address: '192.0.2.1', secure: false });
    expect(clientOf(requestFrom('127.0.0.1', told))).toEqual({ address: '127.0.0.1', secure: false });
  });

  test('returns IPv4 on an IPv6 socket in its plain form', () => {
    expect(clientOf(requestFrom('::ffff:192.0.2.1')).address).toBe('192.0.2.1');
  });

  test('counts TLS of the socket as secure', () => {
    expect(clientOf(requestFrom('192.0.2.1', {}, true)).secure).toBe(true);
  });
});

describe('behind a trusted proxy', () => {
  const clientOf = createClientOf(['loopback', '10.1.0.0/16', '2001:db8::5']);

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.255.255', '2001:db8::5'])('believes %s', (proxy) => {
    expect(clientOf(requestFrom(proxy, told))).toEqual({ address: '203.0.113.9', secure: true });
  });

  test.each(['10.2.0.0', '192.0.2.1', '2001:db8::6'])('does not believe %s', (stranger) => {
    expect(clientOf(requestFrom(stranger, told))).toEqual({ address: stranger, secure: false });
  });

  test('ignores what the client put in front of the list', () => {
    const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    expect(clientOf(requestFrom('127.0.0.1', headers)).address).toBe('203.0.113.9');
  });

  test('skips several trusted proxies', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 10.1.0.3, 10.1.0.2' };
    expect(clientOf(requestFrom('127.0.0.1', headers)).address).toBe('203.0.113.9');
  });

  test.each([
    ['', '127.0.0.1'],
    ['nonsense', '127.0.0.1'],
    ['nonsense, 10.1.0.2', '10.1.0.2'],
    ['203.0.113.9:5311', '203.0.113.9'],
    ['[2001:db8::9]:443', '2001:db8::9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('reads X-Forwarded-For %j as %s', (list, address) => {
    expect(clientOf(requestFrom('127.0.0.1', { 'x-forwarded-for': list })).address).toBe(address);
  });

  test('takes the nearest proxy’s protocol', () => {
    const secure = (proto: string) => clientOf(requestFrom('127.0.0.1', { 'x-forwarded-proto': proto })).secure;
    expect(secure('HTTPS')).toBe(true);
    expect(secure('https, http')).toBe(false);
    expect(secure('http')).toBe(false);
  });
});

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
