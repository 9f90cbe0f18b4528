import { createServer, type RequestListener } from 'node:http';
import { Databases } from 'node-appwrite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { close, listen } from '../../../tests/support/gateway.ts';
import { ReadingClient } from './reading-client.ts';

async function asking(listener: RequestListener) {
  // On a busy machine, the default timeout of five seconds may expire before a connection is reused.
  const server = createServer({ keepAliveTimeout: 600_000 }, listener);
  const endpoint = `${await listen(server)}/v1`;
  const stop = () => close(server);
  onTestFinished(stop);
  const databases = new Databases(new ReadingClient().setEndpoint(endpoint).setProject('p'));
  const ids = { databaseId: 'blog', collectionId: 'articles', documentId: 'a' };
  return { stop, ask: () => databases.getDocument(ids) };
}

const json: RequestListener = (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ $id: request.url, $sequence: request.socket.remotePort }));
};

it('asks over one connection, again and again', async () => {
  const { ask } = await asking(json);
  const [first, second] = [await ask(), await ask()];
  expect(second).toEqual(first);
  expect(first.$id).toBe('/v1/databases/blog/collections/articles/documents/a');
});

it('asks once more where the server has let the idle connection go', async () => {
  const calls = new WeakMap<object, number>();
  const listener = vi.fn<RequestListener>((request, response) => {
    const earlier = calls.get(request.socket) ?? 0;
    calls.set(request.socket, earlier + 1);
    if (earlier > 0) request.socket.resetAndDestroy();
    else json(request, response);
  });
  const { ask } = await asking(listener);
  await ask();
  await expect(ask()).resolves.toMatchObject({ $id: expect.any(String) });
  expect(listener).toHaveBeenCalledTimes(3);
});

it('a new connection that breaks off is a failure, as is a server that is not there', async () => {
  const { ask, stop } = await asking((request) => request.socket.resetAndDestroy());
  await expect(ask()).rejects.toThrow('fetch failed');
  await stop();
  await expect(ask()).rejects.toThrow('fetch failed');
});

it('an answer that breaks off is a failure', async () => {
  const { ask } = await asking((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{');
    response.socket?.destroySoon();
  });
  await expect(ask()).rejects.toThrow('fetch failed');
});

it("throws the SDK's error with the server's words, whatever form they have", async () => {
  const { ask } = await asking((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"message":"Not there.","type":"document_not_found"}');
  });
  await expect(ask()).rejects.toMatchObject({ code: 404, message: 'Not there.', type: 'document_not_found' });
  const proxy = await asking((_, response) => response.writeHead(502).end('Bad Gateway'));
  await expect(proxy.ask()).rejects.toMatchObject({ code: 502, message: 'Bad Gateway' });
});
