import { expect, test } from 'vitest';
import { type UpgradeSteps, upgrade } from './upgrade.ts';

const STEPS = ['backUp', 'prepare', 'rehearse', 'change', 'watch'];

test.each([
  [undefined, undefined, 'upgraded', []],
  ['backUp', undefined, 'refused', ['discard']],
  ['prepare', undefined, 'refused', ['discard']],
  ['rehearse', undefined, 'refused', ['discard']],
  ['change', undefined, 'taken back', ['takeBack']],
  ['watch', undefined, 'taken back', ['takeBack']],
  [undefined, 'It is ill.', 'taken back', ['takeBack']],
])('an upgrade whose step %s fails, on a server of which is said %s, is %s', async (broken, ill, kind, ends) => {
  const taken: string[] = [];
  const step = (name: string, result?: string) => async () => {
    taken.push(name);
    if (name === broken) throw new Error(`No ${name}.`);
    return result;
  };
  const steps = Object.fromEntries([...STEPS, 'takeBack', 'discard'].map((name) => [name, step(name)]));
  const all = { ...steps, backUp: step('backUp', 'a.zip'), watch: step('watch', ill) } as unknown as UpgradeSteps;
  const why = broken ? `No ${broken}.` : ill;
  expect(await upgrade(all, () => {})).toEqual({ kind, ...(why && { why }) });
  expect(taken).toEqual([...STEPS.slice(0, broken ? STEPS.indexOf(broken) + 1 : STEPS.length), ...ends]);
});
