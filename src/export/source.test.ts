import { expect, onTestFinished, test } from 'vitest';
import { startMirror } from '../../tests/support/gateway.ts';
import { createSource } from './source.ts';

test('a file has the headers that a host sends with it, and none that belong to one answer', async () => {
  const policy = ['Content-Security-Policy', "default-src 'none'"];
  const server = await startMirror(['X-Request-Id', '0139860e27246a6e', ...policy]);
  onTestFinished(() => server.stop());
  server.statuses.push(404);
  const source = createSource(server.origin, 1);
  onTestFinished(() => source.close());
  expect(await source.file('/404')).toMatchObject({ status: 404, headers: policy });
});
