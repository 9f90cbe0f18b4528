import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { GRACE_PERIOD } from '@common-ink/http/limits/slow-body-timeout.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LongAnswers } from './long-answers.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const PIECE = Buffer.alloc(64 * 1024);

/** Returns a response whose client reads or stalls. */
function responseTo(reads: boolean): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const socket = new Writable({ write: (_chunk, _encoding, done) => reads && done() });
  response.assignSocket(socket as Socket);
  return response;
}

function* pieces(count: number, made: { count: number }): Generator<Buffer> {
  for (; made.count < count; made.count++) yield PIECE;
}

it('makes no more than its client reads, and gives up a client that does not', async () => {
  const answers = new LongAnswers({ ofKey: 1 });
  const made = { count: 0 };
  const response = responseTo(false);
  const sent = answers.send({ response, network: 'a', pieces: () => pieces(100, made), writeHead: () => {} });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(made.count).toBeLessThan(3);
  vi.advanceTimersByTime(GRACE_PERIOD - 1);
  expect(response.destroyed).toBe(false);
  vi.advanceTimersByTime(2 * GRACE_PERIOD);
  expect(response.destroyed).toBe(true);
  response.emit('close');
  await sent;
});

it('says before the first byte what cannot be made', async () => {
  const answers = new LongAnswers();
  const writeHead = vi.fn();
  function* failing(): Generator<Buffer> {
    yield Buffer.alloc(0);
    throw new Error('too long');
  }
  const sent = answers.send({ response: responseTo(true), network: 'a', pieces: failing, writeHead });
  await expect(sent).rejects.toThrow('too long');
  expect(writeHead).not.toHaveBeenCalled();
});
