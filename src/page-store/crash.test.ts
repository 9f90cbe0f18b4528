import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ownFolder } from '../../tests/support/folder.ts';
import { failRenders, startSite } from '../../tests/support/store/site.ts';

const ROUNDS = 6;
const CHILD = fileURLToPath(new URL('../../tests/support/store/crash-child.ts', import.meta.url));

/** Kills a process that is storing versions of pages. Returns the last version that it reported as stored. */
async function killedWhileWriting(directory: string, from: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, directory, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output.split('\n').length, { interval: 1 }).toBeGreaterThan(4);
  await sleep(Math.random() * 20);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  // Reads the last complete line; the kill may have cut off the line after it.
  return Number(output.split('\n').at(-2));
}

function decoded(body: Buffer, coding: string | undefined): string {
  if (coding === 'br') return brotliDecompressSync(body).toString();
  return coding === 'gzip' ? gunzipSync(body).toString() : body.toString();
}

test('a store killed while it writes sends no mixed page and no older version, and loses at most the page it was writing', async () => {
  const directory = ownFolder();
  for (let round = 0; round < ROUNDS; round++) {
    // Each process numbers its versions from a higher start, so later versions always have higher numbers.
    const version = await killedWhileWriting(directory, round * 100_000);
    const site = await startSite({ directory });
    // Every render fails, so every page that is served comes from the store.
    failRenders(site);
    const lost = new Set<string>();
    for (const path of Array.from({ length: 5 }, (_, i) => `/post/p${i}`))
      for (const coding of ['identity', 'br', 'gzip']) {
        const { status, body, headers } = await site.get(path, { 'accept-encoding': coding });
        expect([200, 503]).toContain(status);
        if (status === 503) lost.add(path);
        if (status === 503) continue;
        const text = decoded(body, headers['content-encoding']);
        const [, number] = text.split(' ');
        expect(text).toBe(`${path} ${number} `.repeat(2000));
        expect(Number(number)).toBeGreaterThanOrEqual(version);
      }
    // The process writes pages one at a time, so a kill can lose at most one.
    expect(lost.size).toBeLessThanOrEqual(1);
    await site.close();
    expect(readdirSync(join(directory, 'temporary'))).toEqual([]);
  }
}, 600_000);
