import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

const FULL = '/dev/full';

test.skipIf(!existsSync(FULL))('a log on a full disk does not end the process', () => {
  const script = `
    import { log, surviveFullLog } from '${import.meta.dirname}/log.ts';
    surviveFullLog();
    log('warn', 'one');
    console.log('one');
    setTimeout(() => {
      log('warn', 'two');
      console.log('two');
      setTimeout(() => process.exit(7), 20);
    }, 20);`;
  const full = openSync(FULL, 'w');
  const args = ['--input-type=module', '-e', script];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', full, full] });
  closeSync(full);
  expect(status).toBe(7);
});
