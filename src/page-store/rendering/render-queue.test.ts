import { beforeEach, expect, test } from 'vitest';
import { RenderQueue } from './render-queue.ts';

let begun: string[];
let finish: Map<string, () => void>;
let queue: RenderQueue<string>;
beforeEach(() => {
  begun = [];
  finish = new Map();
  queue = new RenderQueue<string>({
    run: ({ path }) => {
      begun.push(path);
      return new Promise((resolve) => finish.set(path, () => resolve(path)));
    },
    clock: () => 1,
    refuse: () => 'refused',
  });
});
const pages = (name: string, count: number) => Array.from({ length: count }, (_, i) => `/post/${name}-${i}`);

test('lets one writer’s slow pages not block another writer', async () => {
  for (const path of pages('long', 20)) queue.join(path, 1, 'write', 'test', 'mallory');
  expect(begun.length).toBeLessThan(6);
  const job = queue.join('/post/short', 1, 'write', 'test', 'ann');
  expect(begun).toContain('/post/short');
  finish.get('/post/short')?.();
  expect(await job.result).toBe('/post/short');
});

test('makes three pages of a writer urgent at a time, and counts a page once', async () => {
  const jobs = ['/post/mine-0', ...pages('mine', 5)].map((path) => queue.join(path, 1, 'write', 'test', 'ann'));
  expect(jobs.map(({ priority }) => priority)).toEqual(['write', 'write', 'write', 'write', 'publish', 'publish']);
  finish.get('/post/mine-0')?.();
  await jobs[0]?.result;
  expect(queue.join('/post/next', 1, 'write', 'test', 'ann').priority).toBe('write');
});

test('renders pages of a change before it is idle, but none of the background', async () => {
  const jobs = pages('mine', 5).map((path) => queue.join(path, 1, 'write', 'test', 'ann'));
  expect(jobs.map(({ priority }) => priority)).toEqual(['write', 'write', 'write', 'publish', 'publish']);
  const rest = queue.idle();
  queue.join('/post/aged', 1, 'background', 'test');
  for (const path of pages('mine', 5)) {
    await expect.poll(() => begun).toContain(path);
    finish.get(path)?.();
  }
  await rest;
  expect(await Promise.all(jobs.map(({ result }) => result))).toEqual(pages('mine', 5));
  expect(begun).not.toContain('/post/aged');
});

test('renders a writer’s page before those that readers wait for, and leaves each of them room', async () => {
  for (const path of pages('read', 60)) queue.join(path, 1, 'read', 'test');
  expect(begun).toEqual(pages('read', 6));
  for (const path of pages('write', 60)) queue.join(path, 1, 'write', 'test');
  expect(begun.slice(6)).toEqual(pages('write', 2));
  finish.get('/post/read-0')?.();
  await expect.poll(() => begun.slice(8)).toEqual(['/post/write-2']);
});
