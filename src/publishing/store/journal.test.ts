import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite } from '../testing/site.ts';
import { Journal, type JournalLine } from './journal.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal');
});
afterEach(() => rmSync(directory, { recursive: true }));

const gone = (path: string): JournalLine => ({ t: 'gone', p: [path] });
function read(): JournalLine[] {
  const lines: JournalLine[] = [];
  Journal.open(file, (line) => lines.push(line)).close();
  return lines;
}

test('gives back what was appended, in its order, beyond the size of a chunk', () => {
  const journal = Journal.open(file, () => undefined);
  const lines = Array.from({ length: 3000 }, (_, i) => gone(`/post/${'ü'.repeat(300)}${i}`));
  for (const line of lines) journal.append(line);
  journal.close();
  expect(read()).toEqual(lines);
});

test('cuts off a line that a crash cut short, and passes over one that cannot be read', () => {
  const journal = Journal.open(file, () => undefined);
  journal.append(gone('/a'));
  journal.close();
  appendFileSync(file, '{"t":"gone"\u0000\n{"t":"gone","p":["/b"]}\n{"t":"gone","p":["/c');
  expect(read()).toEqual([gone('/a'), gone('/b')]);
  const again = Journal.open(file, () => undefined);
  again.append(gone('/d'));
  again.close();
  expect(read()).toEqual([gone('/a'), gone('/b'), gone('/d')]);
});

test('compaction keeps what is appended meanwhile, behind what it writes', async () => {
  const journal = Journal.open(file, () => undefined);
  for (let i = 0; i < 5000; i++) journal.append(gone(`/old${i}`));
  const compaction = journal.compact(Array.from({ length: 1200 }, (_, i) => gone(`/live${i}`)));
  journal.append(gone('/meanwhile'));
  await new Promise((resolve) => setImmediate(resolve));
  journal.append(gone('/later'));
  await compaction;
  journal.append(gone('/after'));
  expect(journal.lines).toBe(1203);
  journal.close();
  const lines = read();
  expect(lines.length).toBe(1203);
  expect(lines.slice(-3)).toEqual([gone('/meanwhile'), gone('/later'), gone('/after')]);
});

test('a store that changes its pages over and over keeps its journal short, and its pages', async () => {
  const site = await startSite();
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  await site.get('/post/one');
  const size = () => readFileSync(join(site.directory, 'journal'), 'utf8').split('\n').length;
  for (let i = 0; i < 25_000; i++) {
    site.store.invalidate({ tags: ['post:two'] });
    if (i % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(size, { timeout: 15_000 }).toBeLessThan(16_000);
  await site.restart();
  expect((await site.get('/post/one')).headers['x-page']).toMatch(/^hit/);
  await site.close();
});
