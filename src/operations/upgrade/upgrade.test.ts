import { expect, test } from 'vitest';
import { type UpgradeSteps, upgrade } from './upgrade.ts';

/** Returns steps that record each call; `broken` fails, the server `ill` is unhealthy. */
function steps(broken?: keyof UpgradeSteps, ill?: string) {
  const taken: string[] = [];
  const step = (name: keyof UpgradeSteps) => async () => {
    taken.push(name);
    if (name === broken) throw new Error(`No ${name}.`);
  };
  const all: UpgradeSteps = {
    backUp: async () => {
      await step('backUp')();
      return 'a.zip';
    },
    prepare: step('prepare'),
    rehearse: step('rehearse'),
    change: step('change'),
    watch: async () => {
      await step('watch')();
      return ill;
    },
    takeBack: step('takeBack'),
    discard: step('discard'),
  };
  return { all, taken };
}

test('an upgrade goes from a backup to a server that is well', async () => {
  const { all, taken } = steps();
  expect(await upgrade(all, () => {})).toEqual({ kind: 'upgraded' });
  expect(taken).toEqual(['backUp', 'prepare', 'rehearse', 'change', 'watch']);
});

test.each(['backUp', 'prepare', 'rehearse'] as const)('where %s fails nothing is changed', async (broken) => {
  const { all, taken } = steps(broken);
  expect(await upgrade(all, () => {})).toEqual({ kind: 'refused', why: `No ${broken}.` });
  expect(taken).not.toContain('change');
  expect(taken.at(-1)).toBe('discard');
});

test.each(['change', 'watch'] as const)('where %s fails the old release comes back', async (broken) => {
  const { all, taken } = steps(broken);
  expect(await upgrade(all, () => {})).toEqual({ kind: 'taken back', why: `No ${broken}.` });
  expect(taken.at(-1)).toBe('takeBack');
});

test('a server that is not well goes', async () => {
  const { all, taken } = steps(undefined, 'It is ill.');
  expect(await upgrade(all, () => {})).toEqual({ kind: 'taken back', why: 'It is ill.' });
  expect(taken.slice(-2)).toEqual(['watch', 'takeBack']);
});
