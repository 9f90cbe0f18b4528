import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { openImporting } from '../../tests/support/importing.ts';
import { type Collection, textsOf } from './document.ts';
import { withinTime } from './time-limit.ts';
import { writePosts } from './write/write.ts';

const endless = () => {
  for (;;);
};

it('ends between two texts that cannot be read when it is told to meanwhile', async () => {
  const { admin, site, userId, close } = await openImporting();
  const base = { titles: [], date: undefined, updated: undefined, draft: false, addresses: [], image: undefined };
  const heads = Array.from({ length: 100 }, (_, n) => ({ ...base, path: `${n}`, name: `broken-${n}` }));
  const broken = () => {
    throw new Error('It is damaged.');
  };
  const collection: Collection = {
    ...{ posts: heads, others: [], follow: () => ({ kind: 'nowhere' }) },
    texts: () => textsOf(heads, broken),
  };
  const controller = new AbortController();
  const results = await writePosts(collection, {
    ...{ admin, site: site.site, dataDirectory: site.folder, place: 'broken', dryRun: true },
    userId: await userId(),
    signal: controller.signal,
    // Aborts in a separate task of the event loop, because signals also arrive between tasks.
    onResult: () => void setImmediate(() => controller.abort()),
  });
  expect(results.length).toBeLessThan(5);
  await close();
});

it('returns and throws what the work does, within other work too', () => {
  expect(withinTime(() => withinTime(() => 1) + 1)).toBe(2);
  const error = new Error('of the work');
  const failing = () => {
    throw error;
  };
  expect(() => withinTime(() => withinTime(failing))).toThrow(error);
  expect(() => withinTime(endless, 20)).toThrow(OperatorError);
});

it('ends at once when the process is interrupted, and its listeners hear of it', async () => {
  const program = `
    import { writeSync } from 'node:fs';
    import { withinTime } from '${import.meta.resolve('./time-limit.ts')}';
    process.once('SIGINT', () => console.log('heard'));
    try {
      withinTime(() => { writeSync(1, 'begun '); for (;;); }, 600_000);
    } catch (error) {
      console.log(error.name);
    }`;
  const args = ['--input-type=module', '-e', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', () => child.kill('SIGINT'));
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(said).toBe('begun heard\nOperatorError\n');
});
