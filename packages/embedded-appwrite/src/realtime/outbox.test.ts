import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { frameHeader, Outbox } from './outbox.ts';

/** Returns a recipient whose stream accepts data at once if `reads` is true, otherwise only when `read` is called. */
function recipient(reads: boolean) {
  const waiting: (() => void)[] = [];
  const stream = new Duplex({
    read() {},
    writev(_chunks, done) {
      if (reads) done();
      else waiting.push(done);
    },
  });
  stream.on('error', () => {});
  const read = () => {
    for (const done of waiting.splice(0)) done();
  };
  return { stream, drop: () => void stream.destroy(), read };
}

it.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('frames a message of %d bytes as in RFC 6455', (length, header) =>
  expect(frameHeader(length).toString('hex')).toBe(header),
);

it('drops the socket that waits longest once too much waits, and none before', () => {
  const outbox = new Outbox(6000);
  const all = [recipient(false), recipient(false), recipient(true)] as const;
  const dropped = () => all.map(({ stream }) => stream.destroyed);
  const [slow, late, quick] = all;
  outbox.send(slow, outbox.share('x'.repeat(3000)));
  const second = outbox.share('y'.repeat(800));
  outbox.send(late, second);
  outbox.send(quick, second);
  expect(dropped()).toEqual([false, false, false]);
  outbox.send(quick, outbox.share('z'.repeat(3000)));
  expect(dropped()).toEqual([true, false, false]);
});

it('forgets what has been read', async () => {
  const outbox = new Outbox(5000);
  const slow = recipient(false);
  for (let n = 0; n < 5; n++) {
    outbox.send(slow, outbox.share('x'.repeat(3000)));
    slow.read();
    await new Promise(setImmediate);
  }
  expect(slow.stream.destroyed).toBe(false);
});
