/**
 * A worker thread with idle connections. For each message, it takes the next connection and, if it is still open, sends
 * a request on it. Increments `sent` once the request is sent or skipped, then posts the status, the error or `closed`.
 */
import { Agent, get } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { port, count, sent } = workerData as {
  readonly port: number;
  readonly count: number;
  readonly sent: Int32Array<SharedArrayBuffer>;
};

function ask(agent: Agent, onSent = () => {}): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  get({ host: '127.0.0.1', port, agent }, (response) =>
    response.resume().on('close', () => resolve(`${response.statusCode}`)),
  )
    .on('finish', onSent)
    .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  return promise;
}

function tell(): void {
  Atomics.add(sent, 0, 1);
  Atomics.notify(sent, 0);
}

const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
await Promise.all(agents.map((agent) => ask(agent)));

parentPort?.on('message', async () => {
  // Learns of connections that the server has closed.
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  const agent = agents.shift();
  if (agent && Object.keys(agent.freeSockets).length > 0) return parentPort?.postMessage(await ask(agent, tell));
  tell();
  parentPort?.postMessage('closed');
});
parentPort?.postMessage('idle');
