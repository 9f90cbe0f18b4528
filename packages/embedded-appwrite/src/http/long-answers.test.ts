import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { GRACE_PERIOD } from '@common-ink/http/limits/slow-body-timeout.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LongAnswers } from './long-answers.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

it('makes no more than its client reads, and gives up a client that does not', async () => {
  const answers = new LongAnswers({ ofKey: 1 });
  let made = 0;
  function* pieces() {
    for (; made < 100; made++) yield Buffer.alloc(64 * 1024);
  }
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(new Writable({ write: () => {} }) as Socket);
  const sent = answers.send({ response, network: 'a', pieces, writeHead: () => {} });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(made).toBeLessThan(3);
  vi.advanceTimersByTime(GRACE_PERIOD - 1);
  expect(response.destroyed).toBe(false);
  vi.advanceTimersByTime(2 * GRACE_PERIOD);
  expect(response.destroyed).toBe(true);
  response.emit('close');
  await sent;
});
