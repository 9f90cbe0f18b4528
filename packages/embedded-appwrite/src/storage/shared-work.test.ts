import { expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';

it('serves all who ask while a run is under way by one run after it', async () => {
  const shared = new SharedWork();
  const begun: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => begun.push(resolve));
  const first = shared.run('a', work);
  const others = [shared.run('a', work), shared.run('a', work)];
  const elsewhere = shared.run('b', work);
  expect(begun).toHaveLength(2);
  for (const end of begun.splice(0)) end();
  await Promise.all([first, elsewhere]);
  await new Promise(setImmediate);
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await Promise.all(others);
});

it('runs again after a failure, which only its callers get', async () => {
  const shared = new SharedWork();
  let fails = true;
  const work = async () => {
    await Promise.resolve();
    if (fails) throw new Error('no');
  };
  const first = shared.run('a', work);
  const second = shared.run('a', async () => {
    fails = false;
    await work();
  });
  await expect(first).rejects.toThrow('no');
  await second;
});
