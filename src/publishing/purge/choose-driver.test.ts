import { expect, test } from 'vitest';
import { type Cdn, driverOf } from './choose-driver.ts';

const cdn = (provider: Cdn['provider'], more: Partial<Cdn> = {}): Cdn => ({
  provider,
  token: 'secret',
  zone: 'z1',
  purgeUrl: undefined,
  purgeBy: 'tags',
  maxAge: 60,
  ...more,
});
const change = { tags: ['posts'], urls: ['https://blog.example/'], everything: false };
const addresses = (wanted: Cdn) =>
  driverOf(wanted)
    .calls(change)
    .map(({ url }) => url);

test('each provider is called at its own address, for its own zone', () => {
  expect(addresses(cdn('cloudflare'))).toEqual(['https://api.cloudflare.com/client/v4/zones/z1/purge_cache']);
  expect(addresses(cdn('fastly'))).toEqual(['https://api.fastly.com/service/z1/purge']);
  expect(addresses(cdn('bunny'))).toEqual(['https://api.bunny.net/pullzone/z1/purgeCache']);
  expect(addresses(cdn('generic', { purgeUrl: 'http://varnish:6081{path}' }))).toEqual(['http://varnish:6081/']);
});

test('Cloudflare purges by address where the plan has no tags', () => {
  const [call] = driverOf(cdn('cloudflare', { purgeBy: 'urls' })).calls(change);
  expect(JSON.parse(call?.body ?? '')).toEqual({ files: ['https://blog.example/'] });
});
