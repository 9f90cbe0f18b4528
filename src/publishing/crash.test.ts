import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startSite } from './testing/site.ts';

const CHILD = fileURLToPath(new URL('./testing/crash-child.ts', import.meta.url));

/** Lets a process store pages for a while, kills it, and gives the last version that it said was stored, if any. */
async function killedWhileWriting(directory: string, from: number, milliseconds: number): Promise<number | undefined> {
  const child = spawn(process.execPath, [CHILD, directory, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 10_000 }).toContain('open');
  await sleep(milliseconds);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  // A line cut short is not counted.
  return Number(output.split('\n').at(-2)) || undefined;
}

test('killed while it writes: after the restart nothing half-written is sent, and nothing older than what was stored', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'crash-'));
  let version = 0;
  let served = 0;
  let missing = 0;
  for (let round = 0; round < 12; round++) {
    // Each process has its own hundred thousand numbers, so the order of versions is the order of numbers.
    const last = await killedWhileWriting(directory, round * 100_000, 40 + Math.random() * 160);
    version = last ?? version;
    const site = await startSite({ directory });
    // No backend: whatever comes was stored.
    site.gate.before = () => {
      throw new Error('no backend');
    };
    for (let i = 0; i < 5; i++) {
      for (const coding of ['identity', 'br', 'gzip']) {
        const path = `/post/p${i}`;
        const answer = await site.get(path, { 'accept-encoding': coding });
        if (answer.status === 503 && version === 0) continue;
        if (answer.status === 503) missing++;
        expect(answer.status).toBe(200);
        if (coding !== 'identity') continue;
        served++;
        const words = answer.text.split(' ');
        expect(answer.text).toBe(`${path} ${words[1]} `.repeat(2000));
        expect(Number(words[1])).toBeGreaterThanOrEqual(version);
      }
    }
    await site.close();
    expect(readdirSync(join(directory, 'temporary'))).toEqual([]);
  }
  expect(served).toBeGreaterThan(30);
  expect(missing).toBe(0);
  rmSync(directory, { recursive: true });
}, 60_000);
