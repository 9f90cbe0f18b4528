import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Serial } from './serial.ts';

it('runs work on one key in the order it was given', async () => {
  const serial = new Serial();
  const done: string[] = [];
  const slow = serial.run('a', async () => {
    await setTimeout(20);
    done.push('first');
  });
  const fast = serial.run('a', async () => {
    done.push('second');
  });
  const other = serial.run('b', async () => {
    done.push('other');
  });
  await Promise.all([slow, fast, other]);
  expect(done).toEqual(['other', 'first', 'second']);
});

it('goes on after a failure', async () => {
  const serial = new Serial();
  const failing = serial.run('a', () => Promise.reject(new Error('full')));
  const next = serial.run('a', async () => 'done');
  await expect(failing).rejects.toThrow('full');
  await expect(next).resolves.toBe('done');
});
