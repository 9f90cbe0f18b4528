/**
 * `npm run bench -- pages [--part hits,fresh,not-stored,memory,large] [--corpus DIR] [--posts 10000] [--tags 300]
 * [--large 100000] [--seconds 4]`: compares reads from the built site with reads from nginx. Measures the time until a
 * write shows on the pages (on a site with `--posts` posts, each with ten of `--tags` tags), the time for a page that
 * isn't stored, the running site's memory, and the cost of a large archive. Posts come from a folder of Markdown or
 * are generated in the same shape. Prints each figure beside its bound. Needs Linux with wrk, nginx and taskset.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postPath } from '#blog/routes/paths.ts';
import { readConfiguration } from '#server/configuration.ts';
import { buildIfStale } from './filled-site.ts';
import { optionsOf } from './options.ts';
import { benchFreshness } from './pages/freshness.ts';
import { benchHits } from './pages/hits.ts';
import { benchLarge } from './pages/large.ts';
import { benchMemory } from './pages/memory.ts';
import { benchNotStored, POSTS_NOT_STORED } from './pages/not-stored.ts';
import { madeSite } from './pages/posts.ts';
import { type Server, startSite } from './pages/servers.ts';
import { importedTexts, madeTexts, slugAt } from './pages/texts.ts';
import { Report } from './report.ts';
import { withTags } from './tagged.ts';
import { needCommands } from './wrk.ts';

const POSTS = 200;

const { part, corpus, posts, large, stored, tags, seconds } = optionsOf({
  ...{ part: 'hits,fresh,not-stored,memory,large', corpus: '', tags: 0, seconds: 4 },
  ...{ posts: POSTS, large: 100_000, stored: 20_000 },
});
const wanted = (name: string) => part.split(',').includes(name);

await needCommands('taskset', 'wrk', 'nginx');
buildIfStale();
const folder = await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
const { site: settings } = readConfiguration({ DATA_DIR: folder });
const texts = withTags(corpus ? await importedTexts(corpus, settings) : madeTexts(settings), tags);
const running: Server[] = [];
const start = async (directory: string) => {
  const site = await startSite(directory, { core: 0 });
  running.push(site);
  return site;
};
const report = new Report();
try {
  const data = await madeSite(join(folder, 'data'), POSTS, texts);
  if (wanted('hits')) {
    const site = await start(data);
    await benchHits(report, site, postPath(slugAt(texts.typical)), folder, seconds);
    await site.stop();
  }
  if (wanted('fresh')) {
    const many = posts > POSTS ? await start(await madeSite(join(folder, 'many'), posts, texts)) : undefined;
    const few = { site: await start(data), posts: POSTS, tags };
    await benchFreshness(report, texts, few, many && { site: many, posts, tags });
    for (const site of running) await site.stop();
  }
  if (wanted('not-stored')) {
    const site = await startSite(await madeSite(join(folder, 'not-stored'), POSTS_NOT_STORED, texts));
    running.push(site);
    await benchNotStored(report, site);
    await site.stop();
  }
  if (wanted('memory')) await benchMemory(report, data, POSTS);
  if (wanted('large')) await benchLarge(report, folder, texts, large, stored);
  report.end();
} finally {
  for (const site of running) await site.stop();
  await rm(folder, { recursive: true, force: true });
}
