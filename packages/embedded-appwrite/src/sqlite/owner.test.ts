import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTest } from '../../tests/support/folder.ts';
import { currentHolder, ownDirectory } from './owner.ts';

test('a folder of another process is refused at once with what to do, and free once that one is killed', async () => {
  const directory = folderOfTest();
  const script = `const { ownDirectory } = await import(${JSON.stringify(join(import.meta.dirname, 'owner.ts'))});
    globalThis.owner = ownDirectory(${JSON.stringify(directory)});
    console.log('owned'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(other.stdout, 'data');
    expect(() => ownDirectory(directory)).toThrow(
      `in use by another process (pid ${other.pid}). Stop that process first`,
    );
    expect(currentHolder(directory)).toMatchObject({ pid: other.pid });
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  expect(currentHolder(directory)).toBeUndefined();
  ownDirectory(directory).release();
});

test('one process has a folder once, until it lets it go or its start fails', () => {
  const directory = folderOfTest();
  const owner = ownDirectory(directory);
  expect(() => ownDirectory(directory)).toThrow('in use by another process');
  owner.release();
  const failing = () => {
    throw new Error('no');
  };
  expect(() => ownDirectory(directory).open(failing)).toThrow('no');
  ownDirectory(directory).release();
});
