import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { frameHeader, Outbox, type Recipient } from './outbox.ts';

interface TestRecipient extends Recipient {
  readonly received: Buffer[];
  isDropped: boolean;
  /** Reads the buffered data and all later data. */
  read(): void;
}

function recipient(isReading: boolean): TestRecipient {
  const received: Buffer[] = [];
  const waiting: (() => void)[] = [];
  let reads = isReading;
  const stream = new Duplex({
    read() {},
    writev(chunks, done) {
      received.push(...chunks.map(({ chunk }) => chunk as Buffer));
      if (reads) done();
      else waiting.push(done);
    },
  });
  stream.on('error', () => {});
  return {
    stream,
    received,
    isDropped: false,
    drop() {
      this.isDropped = true;
      stream.destroy();
    },
    read() {
      reads = true;
      for (const done of waiting.splice(0)) done();
    },
  };
}

it.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('frames a message of %d bytes as RFC 6455 has it', (length, header) => {
  expect(frameHeader(length).toString('hex')).toBe(header);
});

it('gives every socket the same bytes, not copies', () => {
  const outbox = new Outbox();
  const part = outbox.share('shared,');
  const [one, other] = [recipient(true), recipient(true)];
  outbox.send(one, part, 'one');
  outbox.send(other, part, 'other');
  expect(Buffer.concat(one.received).toString('latin1')).toBe('\x81\x0ashared,one');
  expect(one.received[1]).toBe(part.bytes);
  expect(other.received[1]).toBe(part.bytes);
});

it('drops who waits longest for most when all waits are too much, and nobody before', () => {
  const outbox = new Outbox(6000);
  const [slow, late, quick] = [recipient(false), recipient(false), recipient(true)];
  outbox.send(slow, outbox.share('x'.repeat(3000)));
  const second = outbox.share('y'.repeat(800));
  outbox.send(late, second);
  outbox.send(quick, second);
  expect([slow, late, quick].map(({ isDropped }) => isDropped)).toEqual([false, false, false]);
  const third = outbox.share('z'.repeat(3000));
  outbox.send(quick, third);
  expect([slow, late, quick].map(({ isDropped }) => isDropped)).toEqual([true, false, false]);
});

it('forgets what has been read', async () => {
  const outbox = new Outbox(5000);
  const slow = recipient(false);
  for (let n = 0; n < 5; n++) {
    outbox.send(slow, outbox.share('x'.repeat(3000)));
    slow.read();
    await new Promise(setImmediate);
  }
  expect(slow.isDropped).toBe(false);
});
