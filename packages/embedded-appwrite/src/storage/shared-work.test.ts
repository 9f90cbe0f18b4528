import { expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';

it('serves all calls made during a run by one run after it, also if the first fails', async () => {
  const shared = new SharedWork();
  const runs: PromiseWithResolvers<void>[] = [];
  const work = () => {
    runs.push(Promise.withResolvers());
    return runs.at(-1)?.promise ?? Promise.resolve();
  };
  const first = shared.run('a', work);
  const others = [shared.run('a', work), shared.run('a', work)];
  const elsewhere = shared.run('b', work);
  expect(runs).toHaveLength(2);
  runs[0]?.reject(new Error('no'));
  runs[1]?.resolve();
  await expect(first).rejects.toThrow('no');
  await elsewhere;
  await new Promise(setImmediate);
  expect(runs).toHaveLength(3);
  runs[2]?.resolve();
  await Promise.all(others);
});
