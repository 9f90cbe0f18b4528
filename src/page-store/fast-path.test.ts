import { expect, it } from 'vitest';
import { createParser } from './fast-path.ts';

const parse = createParser();
const read = (text: string) => parse(Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'));
const GET = 'GET /post/x HTTP/1.1\nHost: a\n';

it('parses plain requests of browsers and tools', () => {
  expect(read(`${GET}\n`)).toEqual({ isHead: false, path: '/post/x', encoding: 'identity', ifNoneMatch: undefined });
  const browser = `${GET}Accept: text/html,*/*;q=0.8\nAccept-Encoding: gzip, deflate, br\nConnection: Keep-Alive\nCookie: a=1\nIf-None-Match: "x"\n\n`;
  expect(read(browser)).toEqual({ isHead: false, path: '/post/x', encoding: 'br', ifNoneMatch: '"x"' });
  expect(read(`HEAD / HTTP/1.1\nhost:a\n\n`)).toMatchObject({ isHead: true, path: '/' });
  // The second call returns the cached result of the first.
  expect(read(browser)).toEqual(read(browser));
});

it.each([
  ['half a request', 'GET /post/x HTTP/1.1\nHost: a\n'],
  ['two requests', `${GET}\n${GET}\n`],
  ['a request and the begin of a body', `${GET}\nx`],
  ['a length', `${GET}Content-Length: 0\n\n`],
  ['a coding', `${GET}Transfer-Encoding: chunked\n\n`],
  ['an upgrade', `${GET}Connection: Upgrade\nUpgrade: websocket\n\n`],
  ['a connection that ends', `${GET}Connection: close\n\n`],
  ['an expectation', `${GET}Expect: 100-continue\n\n`],
  ['no host', 'GET /post/x HTTP/1.1\nAccept: */*\n\n'],
  ['a host that is none', 'GET /post/x HTTP/1.1\nHost: a@b\n\n'],
  ['two hosts', `${GET}Host: b\n\n`],
  ['two codings', `${GET}Accept-Encoding: br\nAccept-Encoding: gzip\n\n`],
  ['another method', 'POST /post/x HTTP/1.1\nHost: a\n\n'],
  ['an older protocol', 'GET /post/x HTTP/1.0\nHost: a\n\n'],
  ['an absolute address', 'GET http://a/post/x HTTP/1.1\nHost: a\n\n'],
  ['a folded header', `${GET}X: a\n b\n\n`],
  ['a space before the colon', `${GET}Content-Length : 5\n\n`],
  ['a control character', `${GET}X: a\0b\n\n`],
  ['a letter beyond ASCII', `${GET}X: ä\n\n`],
  ['a line feed alone', `${GET}X: a`.replaceAll('\n', '\r\n').concat('\nTransfer-Encoding: chunked\r\n\r\n')],
  ['very much', `${GET}X: ${'a'.repeat(5000)}\n\n`],
])('leaves %s to the HTTP server', (_, text) =>
  expect(text.includes('\r') ? parse(Buffer.from(text)) : read(text)).toBeUndefined(),
);
