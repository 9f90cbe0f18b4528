import { expect, it } from 'vitest';
import { Serial } from './serial.ts';

it('runs work with the same key in order, also after a failure, and other work meanwhile', async () => {
  const serial = new Serial();
  const done: string[] = [];
  const add = (name: string) => async () => void done.push(name);
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
  const first = serial.run('a', () => blocked.then(add('first')));
  const failing = serial.run('a', () => Promise.reject(new Error('full')));
  const last = serial.run('a', add('last'));
  await serial.run('b', add('other'));
  unblock();
  await expect(failing).rejects.toThrow('full');
  await Promise.all([first, last]);
  expect(done).toEqual(['other', 'first', 'last']);
});
