import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { KEY, PROJECT, startTestBackend, type TestBackend } from 'embedded-appwrite/testing';
import { Account, Client, Databases, Storage } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { close, listen, send, socketsOf, startGateway, type TestGateway } from '../../../tests/support/gateway.ts';

const MEBIBYTE = 1024 * 1024;
const PLACE = { databaseId: 'd', collectionId: 'c' };

describe('in front of an Appwrite', () => {
  let remote: TestBackend;
  let site: TestGateway;
  const asKey = () => new Client().setEndpoint(`${site.origin}/v1`).setProject(PROJECT).setKey(KEY);
  const files = () => `${site.origin}/v1/storage/buckets/media/files`;
  beforeAll(async () => {
    // The site isn't among the remote's platforms, but its pages are still first-party.
    remote = await startTestBackend({ webOrigins: ['console.example.com'], passwordMinimum: 8 });
    site = await startGateway(remote.origin, PROJECT);
    await new Storage(asKey()).createBucket({ bucketId: 'media', name: 'Media', permissions: ['read("any")'] });
    const databases = new Databases(asKey());
    await databases.create({ databaseId: 'd', name: 'd' });
    await databases.createCollection({ ...PLACE, name: 'c', permissions: ['read("any")'] });
    await databases.createStringAttribute({ ...PLACE, key: 'title', size: 99, required: false });
  });
  afterAll(async () => {
    await site.stop();
    await remote.stop();
  });

  it('passes sign-up, sign-in, account and sign-out with a first-party cookie only', async () => {
    const call = (method: string, path: string, body?: object, cookie = '') =>
      fetch(`${site.origin}/v1${path}`, {
        method,
        headers: { origin: site.origin, 'x-appwrite-project': PROJECT, 'content-type': 'application/json', cookie },
        ...(body && { body: JSON.stringify(body) }),
      });
    const account = { email: 'ann@example.com', password: 'long enough' };
    expect((await call('POST', '/account', { userId: 'ann', ...account })).status).toBe(201);
    const signedIn = await call('POST', '/account/sessions/email', account);
    expect(signedIn.status).toBe(201);
    expect(signedIn.headers.get('x-fallback-cookies')).toBeNull();
    const cookies = signedIn.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/^a_session_p1.*; HttpOnly.*; SameSite=Lax$/i);
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
    expect(await (await call('GET', '/account', undefined, cookie)).json()).toMatchObject({ $id: 'ann' });
    const signedOut = await call('DELETE', '/account/sessions', {}, cookie);
    expect(signedOut.status).toBe(204);
    expect(signedOut.headers.getSetCookie().join()).toMatch(/expires=Thu, 01 Jan 1970/i);
    expect((await call('GET', '/account', undefined, cookie)).status).toBe(401);
  });

  it('passes the remote’s own errors', async () => {
    const client = new Client().setEndpoint(`${site.origin}/v1`).setProject(PROJECT);
    const creation = new Account(client).create({ userId: 'bob', email: 'bob@example.com', password: '1234567' });
    await expect(creation).rejects.toMatchObject({ code: 400, type: 'general_argument_invalid' });
  });

  it('leaves foreign origins to the remote to refuse', async () => {
    const headers = { origin: 'https://evil.example' };
    const { status, text } = await send(`${site.origin}/v1/account?project=${PROJECT}`, { headers });
    expect([status, JSON.parse(text).type]).toEqual([403, 'general_unknown_origin']);
  });

  it('passes uploads whole and in chunks, downloads, ranges and HEAD', async () => {
    const storage = new Storage(asKey());
    for (const [fileId, size] of [
      ['small', 200_000],
      ['chunked', 11 * MEBIBYTE],
    ] as const) {
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

  it('tunnels realtime events and closing', async () => {
    const address = `${site.origin.replace('http', 'ws')}/v1/realtime?project=${PROJECT}`;
    const socket = new WebSocket(address, { headers: { origin: site.origin } });
    const frames: { type: string; data: { payload?: { $id: string } } }[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(`${data}`)));
    await vi.waitFor(() => expect(frames[0]?.type).toBe('connected'), { timeout: 10_000 });
    const channels = ['databases.d.collections.c.documents'];
    socket.send(JSON.stringify({ type: 'subscribe', data: [{ channels }] }));
    await vi.waitFor(() => expect(frames[1]?.type).toBe('response'), { timeout: 10_000 });
    await new Databases(asKey()).createDocument({ ...PLACE, documentId: 'one', data: { title: 'x' } });
    await vi.waitFor(() => expect(frames[2]?.data.payload?.$id).toBe('one'), { timeout: 10_000 });
    socket.close(1000);
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1000);
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
  const server = createServer((request, response) => answer(request, response));
  const sockets = socketsOf(server);
  beforeAll(async () => {
    site = await startGateway(await listen(server), PROJECT);
  });
  afterEach(() => server.closeAllConnections());
  afterAll(async () => {
    await site.stop();
    await close(server);
  });

  it('reads slowly passes an upload at that pace', async () => {
    let request: IncomingMessage | undefined;
    answer = (incoming) => {
      request = incoming;
    };
    const upload = httpRequest(`${site.origin}/v1/files`, { method: 'POST', agent: false });
    upload.on('error', () => {});
    let sent = 0;
    const chunk = Buffer.alloc(MEBIBYTE);
    for (let full = false; !full && sent < 200; sent += 1) {
      full = await Promise.race([
        new Promise<boolean>((resolve) => upload.write(chunk, () => resolve(false))),
        wait(500, true),
      ]);
    }
    // Only the system's socket buffers take data.
    expect(sent).toBeLessThan(40);
    expect(request?.readableFlowing).not.toBe(true);
    upload.destroy();
  });

  it('sends more than its reader takes holds it back', async () => {
    let sent = 0;
    answer = (_, response) => {
      const push = () => {
        while (sent < 300 && response.write(Buffer.alloc(MEBIBYTE))) sent += 1;
        if (sent < 300) response.once('drain', push);
      };
      push();
    };
    const download = connect(Number(new URL(site.origin).port), '127.0.0.1');
    download.write('GET /v1/files HTTP/1.1\r\nHost: x\r\n\r\n');
    download.pause();
    await wait(1000);
    expect(sent).toBeLessThan(60);
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
      // The remote cuts the second connection just as the request arrives.
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
    expect(await site.connections()).toBe(0);
  });
});

describe('without a remote', () => {
  it('answers every call with 503, logs that once, and recovers', async () => {
    const server = createServer((_, response) => response.end('back'));
    const origin = await listen(server);
    await close(server);
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

    await new Promise<void>((resolve) => server.listen(Number(new URL(origin).port), '127.0.0.1', resolve));
    expect((await send(`${site.origin}/v1/account`)).text).toBe('back');
    expect(site.reports.at(-1)).toBe(`The Appwrite at ${origin} answers again.`);
    await site.stop();
    await close(server);
  });
});
