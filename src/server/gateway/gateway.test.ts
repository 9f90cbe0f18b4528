import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Writable } from 'node:stream';
import { freePort } from '@common-ink/http/free-port.ts';
import { KEY, PROJECT, startTestBackend, type TestBackend } from 'embedded-appwrite/testing';
import { Client, Storage } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { close, listen, send, socketsOf, startGateway, type TestGateway } from '../../../tests/support/gateway.ts';

const MEBIBYTE = 1024 * 1024;

describe('in front of an Appwrite', () => {
  let remote: TestBackend;
  let site: TestGateway;
  const asKey = () => new Client().setEndpoint(`${site.origin}/v1`).setProject(PROJECT).setKey(KEY);
  const files = () => `${site.origin}/v1/storage/buckets/media/files`;
  beforeAll(async () => {
    remote = await startTestBackend();
    site = await startGateway(remote.origin, PROJECT);
    await new Storage(asKey()).createBucket({ bucketId: 'media', name: 'Media', permissions: ['read("any")'] });
  });
  afterAll(async () => {
    await site.stop();
    await remote.stop();
  });

  it('passes uploads whole and in chunks, downloads, ranges and HEAD', async () => {
    const storage = new Storage(asKey());
    for (const [fileId, size] of Object.entries({ small: 200_000, chunked: 11 * MEBIBYTE })) {
      const bytes = randomBytes(size);
      const file = InputFile.fromBuffer(bytes, `${fileId}.bin`);
      await storage.createFile({ bucketId: 'media', fileId, file });
      const address = `${files()}/${fileId}/view?project=${PROJECT}`;
      const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
      expect(whole.equals(bytes)).toBe(true);
      const part = await fetch(address, { headers: { range: 'bytes=1000-1999' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${size}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true);
      const head = await fetch(address, { method: 'HEAD' });
      expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
      const beyond = await fetch(address, { headers: { range: `bytes=${size}-` } });
      expect([beyond.status, (await beyond.json()).type]).toEqual([416, 'storage_invalid_range']);
    }
  });

  it('refuses a WebSocket for another path', async () => {
    const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/v1/account`);
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('404');
  });
});

describe('a gateway whose remote', () => {
  let answer: RequestListener = () => {};
  let site: TestGateway;
  // On a busy machine, a connection may be idle beyond the default timeout of five seconds before it is reused.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => answer(request, response));
  const sockets = socketsOf(server);
  beforeAll(async () => {
    site = await startGateway(await listen(server), PROJECT);
  });
  afterEach(() => server.closeAllConnections());
  afterAll(async () => {
    await site.stop();
    await close(server);
  });

  /** Resolves with the remote's request and response for `/v1/files`. Answers all other requests. */
  const exchange = () =>
    new Promise<Parameters<RequestListener>>((resolve) => {
      answer = (request, response) => {
        if (request.url === '/v1/files') resolve([request, response]);
        else response.end();
      };
    });

  /** Writes up to 200 MiB until no more is accepted during ten other requests. Returns the number of MiB accepted. */
  async function fill(stream: Writable): Promise<number> {
    let taken = 0;
    const chunk = Buffer.alloc(MEBIBYTE);
    const push = () =>
      stream.write(chunk, (error) => {
        if (error) return;
        taken += 1;
        if (taken < 200) push();
      });
    push();
    for (let before = -1; taken === 0 || before < taken; ) {
      before = taken;
      for (let n = 0; n < 10; n += 1) await send(`${site.origin}/v1/other`);
    }
    return taken;
  }

  it('reads slowly passes an upload at that pace', async () => {
    const asked = exchange();
    const upload = httpRequest(`${site.origin}/v1/files`, { method: 'POST', agent: false });
    upload.on('error', () => {});
    // Only the operating system's socket buffers accept data while the remote does not read.
    expect(await fill(upload)).toBeLessThan(40);
    const [request] = await asked;
    expect(request.readableFlowing).not.toBe(true);
    upload.destroy();
  });

  it('sends more than its reader takes holds it back', async () => {
    const asked = exchange();
    const download = connect(Number(new URL(site.origin).port), '127.0.0.1');
    download.write('GET /v1/files HTTP/1.1\r\nHost: x\r\n\r\n');
    download.pause();
    const [, response] = await asked;
    expect(await fill(response)).toBeLessThan(60);
    download.destroy();
  });

  it('is asked by a client that leaves closes the request', async () => {
    const left = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.on('close', resolve);
        response.write('the beginning');
      };
    });
    const request = httpRequest(`${site.origin}/v1/files`, { agent: false });
    request.on('error', () => {});
    request.on('response', () => request.destroy());
    request.end();
    await left;
  });

  it('breaks off in the middle of a file breaks off the response', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('the beginning', () => response.destroy());
    };
    await expect(send(`${site.origin}/v1/files`)).rejects.toThrow();
  });

  it('answers before the whole body passes the response', async () => {
    answer = (_, response) => {
      response.writeHead(413, { connection: 'close' }).end('too much');
    };
    const sent = send(`${site.origin}/v1/files`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect(await sent).toMatchObject({ status: 413, text: 'too much' });
  });

  it('closed a kept connection asks once more', async () => {
    let asked = 0;
    answer = (_, response) => {
      asked += 1;
      // The remote closes the kept-alive connection just as the second request arrives on it.
      if (asked === 2) response.destroy();
      else response.end('here');
    };
    expect((await send(`${site.origin}/v1/account`)).text).toBe('here');
    expect((await send(`${site.origin}/v1/account`)).text).toBe('here');
    expect(asked).toBe(3);
  });

  it('is killed closes its tunnels', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    server.once('upgrade', (_, socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}Set-Cookie: a=1\r\n\r\n`);
    });
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
    socket.write(`GET /v1/realtime HTTP/1.1\r\nHost: x\r\n${upgrade}Sec-WebSocket-Key: x\r\n\r\n`);
    const greeting = await new Promise((resolve) => socket.once('data', (data) => resolve(`${data}`)));
    expect(greeting).toMatch(/^HTTP\/1.1 101 /);
    expect(greeting).not.toMatch(/set-cookie/i);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const each of sockets) each.destroy();
    await closed;
    await expect.poll(site.connections).toBe(0);
  });
});

it('a gateway without a remote answers every call with 503, logs that once, and recovers', async () => {
  const server = createServer((_, response) => response.end('back'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const site = await startGateway(origin, PROJECT);
  for (const body of [undefined, 'x'.repeat(3 * MEBIBYTE)]) {
    const { status, text, headers } = await send(`${site.origin}/v1/account`, { method: 'POST', body });
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=UTF-8', 'retry-after': '5' });
    const message = 'The backend cannot be reached. Please try again in a moment.';
    expect(JSON.parse(text)).toEqual({ message, code: 503, type: 'general_server_error', version: '1.9.6' });
  }
  const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/v1/realtime?project=${PROJECT}`);
  expect((await new Promise<Error>((resolve) => socket.once('error', resolve))).message).toContain('503');
  expect(site.reports).toEqual([`The Appwrite at ${origin} cannot be reached.`]);

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect((await send(`${site.origin}/v1/account`)).text).toBe('back');
  expect(site.reports.at(-1)).toBe(`The Appwrite at ${origin} answers again.`);
  await site.stop();
  await close(server);
});
