import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentHolder, ownDirectory } from './owner.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'owner-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('a folder of another process is refused at once with what to do, and free once that one is killed', async () => {
  const script = `const { ownDirectory } = await import(${JSON.stringify(join(import.meta.dirname, 'owner.ts'))});
    globalThis.owner = ownDirectory(${JSON.stringify(directory)});
    console.log('owned'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(other.stdout, 'data');
    expect(() => ownDirectory(directory)).toThrow(`in use by another process (pid ${other.pid}): stop that one first`);
    expect(currentHolder(directory)).toMatchObject({ pid: other.pid });
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  expect(currentHolder(directory)).toBeUndefined();
  ownDirectory(directory).release();
});

test('one process has a folder once, until it lets it go or its start fails', () => {
  const owner = ownDirectory(directory);
  expect(() => ownDirectory(directory)).toThrow('in use by another process');
  owner.release();
  const failing = () => {
    throw new Error('no');
  };
  expect(() => ownDirectory(directory).open(failing)).toThrow('no');
  ownDirectory(directory).release();
});
