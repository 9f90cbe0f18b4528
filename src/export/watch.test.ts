import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { close, listen } from '../../tests/support/gateway.ts';
import { watch } from './watch.ts';

const server = createServer(({ url }, response) => {
  if (status === 503) refused++;
  response.writeHead(status, { etag: url === '/part' ? partEtag : etag }).end();
});
let refused = 0;
let [status, etag, partEtag, origin] = [200, '"1"', '"1"', ''];
let say = () => {};
let ending: AbortController;
beforeEach(async () => {
  [status, etag, ending] = [200, '"1"', new AbortController()];
  origin = await listen(server);
});
afterEach(async () => {
  ending.abort();
  await close(server);
});

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

const start = (work: () => Promise<{ again: boolean }>, interval = 5, longest = 60_000) => {
  const subscribe = (onChange: () => void) => {
    say = onChange;
    return () => {
      say = () => {};
    };
  };
  return watch({ origin, subscribe, signs: () => ['/', '/part'], interval, longest, signal: ending.signal }, work);
};

test('it runs at once for an event, and for a changed sitemap', async () => {
  const work = vi.fn(async () => ({ again: false }));
  const ended = start(work, 60_000);
  await until(() => expect(work).toHaveBeenCalledTimes(1));
  await new Promise((resolve) => setImmediate(resolve));
  say();
  await until(() => expect(work).toHaveBeenCalledTimes(2));
  ending.abort();
  await ended;

  ending = new AbortController();
  const looking = start(work);
  await until(() => expect(work).toHaveBeenCalledTimes(3));
  etag = '"2"';
  await until(() => expect(work).toHaveBeenCalledTimes(4));
  partEtag = '"2"';
  await until(() => expect(work).toHaveBeenCalledTimes(5));
  ending.abort();
  await looking;
});

test('what comes while it runs is run for afterwards', async () => {
  const first = Promise.withResolvers<{ again: boolean }>();
  const work = vi.fn(async () => ({ again: false })).mockReturnValueOnce(first.promise);
  const ended = start(work, 60_000);
  await until(() => expect(work).toHaveBeenCalledTimes(1));
  say();
  say();
  first.resolve({ again: false });
  await until(() => expect(work).toHaveBeenCalledTimes(2));
  ending.abort();
  await ended;
  expect(work).toHaveBeenCalledTimes(2);
});

test('it tries again after a failure, after a run that is not the last, and when the server is back', async () => {
  const work = vi.fn(async () => ({ again: false }));
  work.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce({ again: true });
  const ended = start(work);
  await until(() => expect(work).toHaveBeenCalledTimes(3));
  status = 503;
  etag = '"2"';
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(work).toHaveBeenCalledTimes(3);
  status = 200;
  await until(() => expect(work).toHaveBeenCalledTimes(4));
  ending.abort();
  await ended;
});

test('an event that comes while the server is away is run for when it is back', async () => {
  const work = vi.fn(async () => ({ again: false }));
  const ended = start(work, 5, 3_600_000);
  await until(() => expect(work).toHaveBeenCalledTimes(1));
  status = 503;
  say();
  const before = refused;
  // Waits until several polls have failed since the event.
  await until(() => expect(refused).toBeGreaterThan(before + 6));
  status = 200;
  await until(() => expect(work).toHaveBeenCalledTimes(2));
  ending.abort();
  await ended;
});

test('it runs after a time when nothing is seen to have changed', async () => {
  const work = vi.fn(async () => ({ again: false }));
  const ended = start(work, 5, 20);
  await until(() => expect(work.mock.calls.length).toBeGreaterThan(2));
  ending.abort();
  await ended;
});
