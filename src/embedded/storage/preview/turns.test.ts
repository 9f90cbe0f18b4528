import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

function deferred() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open };
}

it('lets so many work at once, so many wait, and turns away the rest', async () => {
  const turns = new Turns(2, 1);
  const { gate, open } = deferred();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await gate;
    running--;
  };
  const taken = [turns.take(work), turns.take(work), turns.take(work)];
  await expect(turns.take(work)).rejects.toThrow(expect.objectContaining({ code: 429 }));
  open();
  await Promise.all(taken);
  expect(most).toBe(2);
  await expect(turns.take(async () => 'free again')).resolves.toBe('free again');
});

it('hands the turn on after a failure', async () => {
  const turns = new Turns(1, 1);
  const failing = turns.take(() => Promise.reject(new Error('broken')));
  const next = turns.take(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('next');
});
