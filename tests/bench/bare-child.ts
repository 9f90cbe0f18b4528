/** Child process: a minimal Node server that reads each request and sends the last recorded answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CannedResponse } from './bare.ts';

let answer: CannedResponse = { status: 200, headers: [], body: Buffer.alloc(0) };
const server = createServer((request, response) => {
  const send = () => response.writeHead(answer.status, answer.headers as string[]).end(answer.body);
  if (request.method === 'GET') send();
  else request.on('data', () => {}).on('end', send);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', (given: CannedResponse) => {
  answer = { ...given, body: Buffer.from(given.body) };
  process.send?.('ready');
});
process.on('disconnect', () => process.exit(0));
