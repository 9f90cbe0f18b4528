import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentHolder, ownDirectory } from './owner.ts';

let directory: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'owner-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

/** Starts another process that owns the folder until it is killed. */
async function otherOwner(): Promise<ChildProcess> {
  const module = JSON.stringify(join(import.meta.dirname, 'owner.ts'));
  const script = `const { ownDirectory } = await import(${module});
    globalThis.owner = ownDirectory(${JSON.stringify(directory)});
    console.log('owned'); setInterval(() => {}, 1000);`;
  child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

test('a folder that another process has is refused at once, with what to do', async () => {
  const { pid } = await otherOwner();
  expect(() => ownDirectory(directory)).toThrow(`in use by another process (pid ${pid}): stop that one first`);
  expect(currentHolder(directory)).toMatchObject({ pid });
});

test('a process that was killed leaves nothing to clean up', async () => {
  const other = await otherOwner();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(currentHolder(directory)).toBeUndefined();
  ownDirectory(directory).release();
});

test('one process has a folder once, and again after it let it go', () => {
  const owner = ownDirectory(directory);
  owner.release();
  ownDirectory(directory).release();
});

test('a start that fails lets the folder go', () => {
  const owner = ownDirectory(directory);
  expect(() =>
    owner.open(() => {
      throw new Error('no');
    }),
  ).toThrow('no');
  ownDirectory(directory).release();
});
