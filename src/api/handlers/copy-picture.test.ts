import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowing } from '#backend/remote-pictures/reachable.ts';
import { apiSite, callApi, postRequest } from '../../../tests/support/api.ts';
import { close, listen } from '../../../tests/support/gateway.ts';
import type { PublishingLocals } from '../locals.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
let elsewhere: Server;
let origin: string;
let respond: RequestListener;
let publishing: PublishingLocals;
const user = 'user=ann';
beforeEach(async () => {
  respond = (_request, response) => response.end(PNG);
  elsewhere = createServer((request, response) => respond(request, response));
  origin = await listen(elsewhere);
  publishing = apiSite({ remotePictures: allowing(['127.0.0.1']) });
});
afterEach(() => close(elsewhere));

const ask = (body: unknown = { url: `${origin}/a.png` }, headers: Record<string, string> = { cookie: user }) =>
  callApi(postRequest('/api/pictures/copy', body, headers), publishing);
const status = async (response: Promise<Response>) => (await response).status;

test('gives a writer the picture, for this once', async () => {
  const response = await ask();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('refuses guests, other sites and what is no request, without asking anybody', async () => {
  respond = () => expect.unreachable('It was asked for.');
  expect(await status(ask(undefined, {}))).toBe(401);
  expect(await status(ask(undefined, { cookie: user, origin: 'https://evil.example' }))).toBe(403);
  expect(await status(ask(undefined, { cookie: user, 'sec-fetch-site': 'cross-site' }))).toBe(403);
  expect(await status(ask('{', undefined))).toBe(400);
  expect(await status(ask({ url: `https://x.example/${'a'.repeat(8192)}` }))).toBe(400);
  expect(await status(ask({ url: `https://x.example/${'a'.repeat(16_384)}` }))).toBe(413);
  expect(await status(ask(undefined, { cookie: user, 'content-type': 'text/plain' }))).toBe(415);
});

test('refuses where the operator has switched it off, and in development', async () => {
  publishing = { ...publishing, remotePictures: undefined };
  const response = await ask();
  expect([response.status, (await response.json()).error]).toEqual([403, 'Copying pictures is switched off here.']);
});

test('refuses a private address, unless the operator allows it', async () => {
  publishing = { ...publishing, remotePictures: allowing([]) };
  const response = await ask();
  expect([response.status, (await response.json()).error]).toEqual([422, '127.0.0.1 is not on the public internet.']);
});

test('refuses what the site refuses', async () => {
  respond = (_request, response) => response.writeHead(404).end();
  expect(await status(ask())).toBe(502);
});

test('refuses more than three at once of one writer, until one is done', async () => {
  const waiting: (() => void)[] = [];
  const arrived = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  respond = (_request, response) => {
    waiting.push(() => response.end(PNG));
    arrived[waiting.length - 1]?.resolve();
  };
  const begun = arrived.map(() => ask());
  await Promise.all(arrived.map(({ promise }) => promise));
  expect(await status(ask())).toBe(503);
  for (const end of waiting) end();
  expect((await Promise.all(begun)).map((each) => each.status)).toEqual([200, 200, 200]);
  respond = (_request, response) => response.end(PNG);
  expect(await status(ask())).toBe(200);
});

test('refuses more than 120 in a minute', async () => {
  const statuses = new Set<number>();
  for (let call = 0; call < 120; call += 1) statuses.add(await status(ask()));
  expect([...statuses]).toEqual([200]);
  expect(await status(ask())).toBe(429);
  expect(await status(ask(undefined, { cookie: 'user=bob' }))).toBe(200);
});
