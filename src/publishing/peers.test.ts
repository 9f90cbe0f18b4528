import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createApiLimits } from '#api/limits.ts';
import type { PublishingLocals } from '#api/locals.ts';
import { apiSite, callApi } from '../../tests/support/api.ts';
import { close, listen } from '../../tests/support/gateway.ts';
import { createPeers, type Peers, peerSignature, SIGNATURE_HEADER, TIME_HEADER } from './peers.ts';
import type { Revalidation } from './revalidate.ts';

const SECRET = 'a-secret-of-all-instances';
const NOTHING = { revalidated: [], removed: [], failed: [], outdated: 0, milliseconds: 0 };
let limits: PublishingLocals['limits'];
beforeEach(() => {
  limits = createApiLimits();
});

/** Starts an instance that records the changes it receives and, like the server, broadcasts them to `others`. */
async function instance(others: () => string[] = () => [], statuses: number[] = [], delay = 5) {
  const received: Revalidation[] = [];
  const logged: string[] = [];
  let calls = 0;
  let peers: Peers | undefined;
  const own = () => {
    const log = (level: string, message: string) => logged.push(`${level} ${message}`);
    peers ??= createPeers({ peers: others(), secret: SECRET, log, delays: [delay, delay, delay] });
    return peers;
  };
  const revalidate: PublishingLocals['revalidate'] = async (revalidation) => {
    received.push(revalidation);
    own().broadcast(revalidation);
    return NOTHING;
  };
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    calls++;
    const body = await buffer(request);
    const status = statuses.shift();
    if (status) return void response.writeHead(status).end();
    const headers = new Headers(request.headers as Record<string, string>);
    const told = new Request('http://here/api/peers', { method: 'POST', headers, body });
    const answer = await callApi(told, apiSite({ limits, revalidate, peerSecret: SECRET }));
    response.writeHead(answer.status).end(await answer.text());
  });
  const url = await listen(server);
  onTestFinished(() => {
    peers?.close();
    return close(server);
  });
  return { url, heard: received, logged, own, revalidate, calls: () => calls };
}

function told(body: string, headers: Record<string, string>, secret: string | undefined = SECRET, address = 'test') {
  const received: Revalidation[] = [];
  const revalidate = async (revalidation: Revalidation) => {
    received.push(revalidation);
    return NOTHING;
  };
  const publishing = apiSite({ limits, revalidate, peerSecret: secret });
  const request = new Request('http://here/api/peers', { method: 'POST', headers, body });
  return callApi(request, publishing, {}, address).then(({ status }) => ({ status, heard: received }));
}
const signed = (body: string, time = Math.floor(Date.now() / 1000)) => ({
  [TIME_HEADER]: `${time}`,
  [SIGNATURE_HEADER]: peerSignature(SECRET, `${time}`, body),
});

test('a change reaches every other instance once, and goes round in no circle', async () => {
  const instances: Awaited<ReturnType<typeof instance>>[] = [];
  for (let at = 0; at < 3; at++)
    instances.push(await instance(() => instances.filter((_, other) => other !== at).map(({ url }) => url)));
  const change = { slugs: ['ink'], gone: ['ink'] };
  await instances[0]?.revalidate({ ...change, from: 'webhook' });
  for (const { own } of instances) await own().idle();
  expect(instances[0]?.calls()).toBe(0);
  const told = [{ ...change, tags: [], paths: [], from: 'peer' }];
  expect(instances.slice(1).map(({ heard }) => heard)).toEqual([told, told]);
});

test('a peer that fails is told again, with what happened meanwhile, and holds up no other', async () => {
  const failing = await instance(undefined, [503]);
  const other = await instance();
  const { own } = await instance(() => [failing.url, other.url], [], 1000);
  own().broadcast({ slugs: ['one'], gone: ['one'], from: 'writer' });
  await expect.poll(failing.calls, { interval: 5 }).toBe(1);
  own().broadcast({ slugs: ['one', 'two'], from: 'writer' });
  await own().idle();
  expect(failing.heard).toEqual([{ slugs: ['one', 'two'], gone: [], tags: [], paths: [], from: 'peer' }]);
  expect(other.heard.length).toBe(2);
});

test('a peer that stays away is given up and named in the log', async () => {
  const log: string[] = [];
  const options = { peers: ['http://127.0.0.1:9'], secret: SECRET, delays: [1, 1] };
  const peers = createPeers({ ...options, log: (level, message) => log.push(`${level} ${message}`) });
  peers.broadcast({ all: true, from: 'operator' });
  await peers.idle();
  expect(log.map((line) => line.split(' ')[0])).toEqual(['warn', 'warn', 'error']);
  expect(log[2]).toContain('http://127.0.0.1:9 could not be told about a change');
});

test('a broadcast ends when the others have received it, or did not answer', async () => {
  const failing = await instance(undefined, [503]);
  const other = await instance();
  const { own } = await instance(() => [failing.url, other.url], [], 60_000);
  await own().broadcast({ slugs: ['one'], from: 'writer' });
  expect([failing.calls(), failing.heard.length, other.heard.length]).toEqual([1, 0, 1]);
});

test('a bulk is told in messages of 500 posts, the last change first, each post once', async () => {
  const peer = await instance();
  const { own } = await instance(() => [peer.url]);
  for (let at = 0; at < 20_000; at++) void own().broadcast({ slugs: [`p${at % 10_000}`], gone: [], from: 'backend' });
  void own().broadcast({ slugs: ['p77'], gone: ['p77'], from: 'backend' });
  await own().idle();
  expect(peer.heard.map(({ slugs }) => slugs?.length)).toEqual(Array(20).fill(500));
  expect(peer.heard[0]).toMatchObject({ gone: ['p77'] });
  expect(peer.heard[0]?.slugs?.at(-1)).toBe('p77');
  expect(new Set(peer.heard.flatMap(({ slugs }) => slugs ?? [])).size).toBe(10_000);
});

test('only signed, recent and readable messages are accepted', async () => {
  const body = JSON.stringify({ slugs: ['ink'] });
  const now = Math.floor(Date.now() / 1000);
  expect(await told(body, signed(body))).toMatchObject({ status: 200, heard: [{ slugs: ['ink'], from: 'peer' }] });
  expect(await told(body, signed(body, now - 240))).toMatchObject({ status: 200 });
  expect(await told(body, signed(body, now - 310))).toMatchObject({ status: 401, heard: [] });
  expect(await told(body, { ...signed(body, now), [TIME_HEADER]: `${now + 1}` })).toMatchObject({
    status: 401,
    heard: [],
  });
  expect(await told(body, signed(body), '')).toMatchObject({ status: 403, heard: [] });
  for (const bad of ['no JSON', '7', '{"slugs":["../x"]}', '{"paths":["/api/x"]}', '{"tags":"posts"}'])
    expect(await told(bad, signed(bad)), bad).toMatchObject({ status: 400, heard: [] });
  const most = JSON.stringify({ slugs: Array.from({ length: 10_000 }, (_, at) => `p${at}`) });
  expect(await told(most, signed(most))).toMatchObject({ status: 200 });
});

test('wrong signatures are limited by address', async () => {
  const statuses: number[] = [];
  for (let call = 0; call < 21; call++) statuses.push((await told('{}', {}, SECRET, 'a stranger')).status);
  expect(statuses).toEqual([...Array(20).fill(401), 429]);
});
