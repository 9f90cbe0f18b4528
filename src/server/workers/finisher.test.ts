import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compressNow } from '#publishing/store/bodies.ts';
import { type Finisher, openFinisher } from './finisher.ts';

const CHILD = new URL('./testing/finisher-child.ts', import.meta.url);

const threads: Worker[] = [];
const remember = (worker: Worker) => void threads.push(worker);
let finisher: Finisher;
beforeEach(() => {
  process.on('worker', remember);
  finisher = openFinisher(CHILD);
});
afterEach(async () => {
  process.off('worker', remember);
  threads.length = 0;
  await finisher.close();
});

const page = (n: number) => Buffer.from(`<p>Page ${n}. ${'Some words that come again. '.repeat(n)}`);

it('gives the same bytes as the process itself, each page its own', async () => {
  const pages = Array.from({ length: 40 }, (_, n) => page(n));
  const made = await Promise.all(pages.map((identity) => finisher.compress(identity, {})));
  for (const [n, bodies] of made.entries()) {
    expect(bodies).toEqual(compressNow(page(n)));
    expect(gunzipSync(bodies.gzip)).toEqual(page(n));
    expect(brotliDecompressSync(bodies.br)).toEqual(page(n));
  }
  expect(threads).toHaveLength(1);
});

it('does not make again what is made', async () => {
  const br = Buffer.from('made by somebody else');
  expect(await finisher.compress(page(3), { br })).toEqual({ ...compressNow(page(3)), br });
  expect(await finisher.compress(page(3), { br, gzip: br })).toEqual({ identity: page(3), gzip: br, br });
});

it('leaves the page that it was given as it was', async () => {
  const whole = Buffer.from('before<p>between</p>after');
  const part = whole.subarray(6, 20);
  expect((await finisher.compress(part, {})).identity).toBe(part);
  expect(whole.toString()).toBe('before<p>between</p>after');
  expect(gunzipSync((await finisher.compress(part, {})).gzip).toString()).toBe('<p>between</p>');
});

it('writes a page’s files into their folder, over those that are there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'finisher-'));
  const names = (place: string) => [`${place}.html`, `${place}.gz`, `${place}.br`] as const;
  const finals = names(join(folder, 'post', 'one'));
  for (const n of [1, 2]) {
    const bodies = compressNow(page(n));
    await finisher.write({ drafts: names(join(folder, 'draft')), finals }, bodies);
    expect(finals.map((name) => readFileSync(name))).toEqual([bodies.identity, bodies.gzip, bodies.br]);
    expect(bodies.identity).toEqual(page(n));
  }
  expect(readdirSync(folder)).toEqual(['post']);
  const broken = finisher.write({ drafts: names('/nowhere/draft'), finals }, compressNow(page(3)));
  await expect(broken).rejects.toThrow('ENOENT');
  rmSync(folder, { recursive: true });
});

it('compresses a page whose thread broke all the same, and the next one in a new thread', async () => {
  const broken = Buffer.from('This breaks the thread.');
  expect(gunzipSync((await finisher.compress(broken, {})).gzip)).toEqual(broken);
  expect(gunzipSync((await finisher.compress(page(3), {})).gzip)).toEqual(page(3));
  expect(threads).toHaveLength(2);
});
