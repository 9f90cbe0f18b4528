import { createServer, type RequestListener } from 'node:http';
import { listen as listenAt } from '@common-ink/http/listen.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Refusal } from '#blog/errors.ts';
import { IMAGE_MAX_BYTES } from '#blog/images.ts';
import { close, listen } from '../../../tests/support/gateway.ts';
import { type FetchOptions, fetchPicture } from './fetch-picture.ts';
import { allowing } from './reachable.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const ENDLESS = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), PNG]);
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
/** Both are loopback addresses. The tests allow the first, which stands for a public address. */
const [PUBLIC, PRIVATE] = ['127.0.0.1', '127.0.0.2'];

let asked: { host: string; url: string; headers: Record<string, unknown> }[];
let answerWith: RequestListener;
let port: number;
beforeEach(async () => {
  asked = [];
  answerWith = (_request, response) => response.end(PNG);
  const listener: RequestListener = (request, response) => {
    asked.push({ host: request.socket.localAddress ?? '', url: request.url ?? '', headers: request.headers });
    answerWith(request, response);
  };
  const [first, second] = [createServer(listener), createServer(listener)];
  port = Number(new URL(await listen(first)).port);
  await listenAt(second, port, PRIVATE);
  onTestFinished(() => Promise.all([close(first), close(second)]).then(() => {}));
});

const get = (path = '/', options: Partial<FetchOptions> = {}) => {
  const address = /^\w+:/.test(path) ? path.replace('PORT', String(port)) : `http://${PUBLIC}:${port}${path}`;
  return fetchPicture(address, { allowed: allowing([`${PUBLIC}/32`]), ...options });
};
const expectRefusal = (code: Refusal, ...given: Parameters<typeof get>) =>
  expect(get(...given)).rejects.toMatchObject({ name: 'DomainError', code });

test('gives the bytes, and the type that they have whatever the site calls it', async () => {
  answerWith = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PNG);
  const { chunks, length, type } = await get('/a.html?b=1#c');
  expect(Buffer.concat(chunks)).toEqual(PNG);
  expect({ length, type }).toEqual({ length: PNG.length, type: 'image/png' });
  expect(asked.map(({ url }) => url)).toEqual(['/a.html?b=1']);
});

const HEADS = { 'image/webp': 'RIFF....WEBPVP8 ', 'image/avif': '....ftypavif....', 'image/gif': 'GIF89a..........' };
test.each(Object.entries(HEADS))('knows %s', async (type, head) => {
  answerWith = (_request, response) => response.end(head);
  expect((await get()).type).toBe(type);
});

test('tells the site nothing of who asks', async () => {
  await get();
  const sent = Object.keys(asked[0]?.headers ?? {}).toSorted();
  expect(sent).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
});

test.each([
  ...['file:///etc/passwd', 'ftp://example.com/a.png', 'data:image/png;base64,AAAA', 'http://'],
  ...['http://ann:secret@example.com/a.png', 'http://8.8.8.8:22/a.png'],
])('%s is no address of a picture', (address) => expectRefusal('bad-address', address));

test.each([
  ...['http://127.0.0.2:PORT/', 'https://127.0.0.2:PORT/', 'http://0x7f000002:PORT/', 'http://2130706434:PORT/'],
  ...['http://0177.0.0.2:PORT/', 'http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1./'],
  ...['http://[::1]:PORT/', 'http://[::ffff:127.0.0.2]:PORT/', 'http://[fe80::1]/'],
])('%s leads into a network that is not public, and is not asked', async (address) => {
  await expectRefusal('private-address', address);
  expect(asked).toEqual([]);
});

test('a name that leads there is not asked either, at whichever of its addresses', async () => {
  for (const addresses of [[PRIVATE], [PUBLIC, PRIVATE], ['::1']]) {
    const resolve = async () => addresses;
    await expectRefusal('private-address', `http://pictures.example:${port}/`, { resolve });
  }
  expect(asked).toEqual([]);
});

test('a name that answers otherwise when it is asked again is asked once for each connection', async () => {
  let times = 0;
  const resolve = async () => [times++ === 0 ? PUBLIC : PRIVATE];
  answerWith = ({ url }, response) =>
    url === '/one' ? response.writeHead(302, { location: '/two' }).end() : response.end(PNG);
  await get(`http://rebinds.example:${port}/two`, { resolve });
  expect(times).toBe(1);
  times = 0;
  await expectRefusal('private-address', `http://rebinds.example:${port}/one`, { resolve });
  expect(asked.map(({ host, url }) => host + url)).toEqual([`${PUBLIC}/two`, `${PUBLIC}/one`]);
});

test('a name that nobody has cannot be reached', () =>
  expectRefusal('site-unreachable', 'http://nobody.example/', { resolve: async () => [] }));

test('redirects are followed, four at most', async () => {
  answerWith = ({ url }, response) => {
    const left = Number(url?.slice(1));
    if (left === 0) response.end(PNG);
    else response.writeHead(left % 2 ? 301 : 307, { location: `/${left - 1}` }).end();
  };
  expect((await get('/4')).type).toBe('image/png');
  await expectRefusal('site-refused', '/5');
});

test.each([
  ['bad-address', 'file:///etc/passwd'],
  ['private-address', 'http://169.254.169.254/'],
  ['private-address', 'http://127.0.0.2:PORT/'],
  ['private-address', '//[::1]:PORT/'],
  ['bad-address', 'http://a:b@127.0.0.1/'],
] as const)('a redirect is judged like an address: %s, %s', async (kind, location) => {
  answerWith = (_request, response) =>
    response.writeHead(302, { location: location.replace('PORT', String(port)) }).end();
  await expectRefusal(kind);
  expect(asked).toHaveLength(1);
});

test('an operator’s hosts are fetched from whatever their address and port', async () => {
  const allowed = allowing(['localhost']);
  expect((await get(`http://localhost:${port}/`, { allowed })).type).toBe('image/png');
  await expectRefusal('private-address', `http://${PUBLIC}:${port}/`, { allowed });
});

test.each([404, 403, 500, 204, 304])('a site that answers %i refuses', async (status) => {
  answerWith = (_request, response) => response.writeHead(status).end();
  await expectRefusal('site-refused');
});

test('10 MB are taken, a byte more is not, announced or counted', async () => {
  const largest = Buffer.concat([PNG, Buffer.alloc(IMAGE_MAX_BYTES - PNG.length)]);
  answerWith = (_request, response) => response.end(largest);
  expect(await get()).toMatchObject({ length: IMAGE_MAX_BYTES });
  answerWith = (_request, response) => response.writeHead(200, { 'content-length': largest.length + 1 }).write(PNG);
  await expectRefusal('too-large');
  answerWith = (_request, response) => {
    response.write(largest);
    response.write('x');
  };
  await expectRefusal('too-large');
});

test.each<[what: string, Refusal, RequestListener]>([
  ['gives no picture', 'no-picture', (_request, response) => void response.write('<!doctype html><p>Sign in')],
  ['gives nothing', 'no-picture', (_request, response) => response.end('')],
  ['is slow before its answer', 'site-slow', () => {}],
  ['is slow in the middle of its answer', 'site-slow', (_request, response) => void response.write(PNG)],
  ['is slow, and says nowhere where its answer ends', 'site-slow', ({ socket }) => void socket.write(ENDLESS)],
  ['wants another protocol', 'site-unreachable', ({ socket }) => void socket.write(UPGRADE)],
  ['closes the connection', 'site-unreachable', ({ socket }) => void socket.destroy()],
  [
    'closes the connection in the middle of its answer',
    'site-unreachable',
    ({ socket }, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write(PNG, () => socket.destroy());
    },
  ],
])('a site that %s is left: %s', async (_, code, answer) => {
  answerWith = answer;
  await expectRefusal(code, '/', code === 'site-slow' ? { milliseconds: 50 } : {});
});

test('who asks and goes ends the fetching', async () => {
  const gone = new AbortController();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  answerWith = ({ socket }) => {
    socket.on('close', () => close());
    gone.abort();
  };
  await expectRefusal('site-unreachable', '/', { signal: gone.signal });
  await closed;
});
