import type { Worker } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compressNow } from '#publishing/store/bodies.ts';
import { type Compressor, openCompressor } from './compressor.ts';

const CHILD = new URL('./testing/compressor-child.ts', import.meta.url);

const threads: Worker[] = [];
const remember = (worker: Worker) => void threads.push(worker);
let compressor: Compressor;
beforeEach(() => {
  process.on('worker', remember);
  compressor = openCompressor(CHILD);
});
afterEach(async () => {
  process.off('worker', remember);
  threads.length = 0;
  await compressor.close();
});

const page = (n: number) => Buffer.from(`<p>Page ${n}. ${'Some words that come again. '.repeat(n)}`);

it('gives the same bytes as the process itself, each page its own', async () => {
  const pages = Array.from({ length: 40 }, (_, n) => page(n));
  const made = await Promise.all(pages.map((identity) => compressor.compress(identity)));
  for (const [n, bodies] of made.entries()) {
    expect(bodies).toEqual(compressNow(page(n)));
    expect(gunzipSync(bodies.gzip)).toEqual(page(n));
    expect(brotliDecompressSync(bodies.br)).toEqual(page(n));
  }
  expect(threads).toHaveLength(1);
});

it('leaves the page that it was given as it was', async () => {
  const whole = Buffer.from('before<p>between</p>after');
  const part = whole.subarray(6, 20);
  expect((await compressor.compress(part)).identity).toBe(part);
  expect(whole.toString()).toBe('before<p>between</p>after');
  expect(gunzipSync((await compressor.compress(part)).gzip).toString()).toBe('<p>between</p>');
});

it('compresses a page whose thread broke all the same, and the next one in a new thread', async () => {
  const broken = Buffer.from('This breaks the thread.');
  expect(gunzipSync((await compressor.compress(broken)).gzip)).toEqual(broken);
  expect(gunzipSync((await compressor.compress(page(3))).gzip)).toEqual(page(3));
  expect(threads).toHaveLength(2);
});
