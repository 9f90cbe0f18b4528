import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  answer: RequestListener;
  close(): Promise<void>;
}

/** Listens on loopback or, if `isPublic`, on all addresses. */
export async function startReceiver(isPublic = false): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    receiver.received.push({ headers: request.headers, body });
    receiver.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, isPublic ? undefined : '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (_request, response) => response.end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
