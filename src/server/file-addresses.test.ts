import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { close, listen, send } from '../../tests/support/gateway.ts';
import { fileAddress, redirectFiles } from './file-addresses.ts';

const server = createServer(redirectFiles('https://appwrite.example/v1', 'new'));
const origin = await listen(server);
afterAll(() => close(server));

it('maps an address of another project to this one', () => {
  const file = '/v1/storage/buckets/media/files/a.b-1';
  expect(fileAddress(`${file}/view?project=old`, 'new')).toBe(`${file}/view?project=new`);
  const preview = (project: string) => `${file}/preview?width=9&project=${project}&output=webp`;
  expect(fileAddress(preview('old'), 'a b')).toBe(preview('a%20b'));
});

it.each([
  '/v1/account?project=old',
  '/v1/storage/buckets/media/files?project=old',
  '/v1/storage/buckets/media/files/a?project=old',
  '/v1/storage/buckets/media/files/a/view',
])('leaves %s unchanged', (url) => expect(fileAddress(url, 'new')).toBe(url));

it('redirects files when browsers reach Appwrite directly', async () => {
  const path = '/storage/buckets/media/files/a/view?project=';
  const { status, headers } = await send(`${origin}/v1${path}old`);
  expect([status, headers.location]).toEqual([307, `https://appwrite.example/v1${path}new`]);
});

it('answers other paths below /v1 with the contract’s 404', async () => {
  for (const [method, path] of [
    ['GET', '/v1/account'],
    ['POST', '/v1/storage/buckets/media/files/a/view?project=old'],
    ['GET', '/v1/storage/buckets/media/files/../../../x/view?project=old'],
  ] as const) {
    const { status, text } = await send(origin + path, { method });
    expect([status, JSON.parse(text).type]).toEqual([404, 'general_route_not_found']);
  }
});
