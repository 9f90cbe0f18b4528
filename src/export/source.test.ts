import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSource } from './source.ts';

test('a file has the headers that a host sends with it, and none that belong to one answer', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'X-Request-Id': '0139860e27246a6e', 'Content-Security-Policy': "default-src 'none'" });
    response.end('Nothing is here.');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const source = createSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1);
  try {
    const { status, headers } = await source.file('/404');
    expect(status).toBe(404);
    expect(headers).toEqual(['Content-Security-Policy', "default-src 'none'"]);
  } finally {
    source.close();
    server.close();
  }
});
