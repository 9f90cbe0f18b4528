/** Starts the built site with the sample posts, on a free port and in its own folder, for benches of pages. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ownSite, type RunningSite } from '../e2e/site.ts';
import { buildIfStale } from './filled-site.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
/** A sample post with a picture and about 5 KB of text. */
export const SAMPLE_POST = '/post/the-page-before-the-first-word';

export interface SeededSite {
  readonly site: RunningSite;
  readonly pages: Readonly<Record<'home' | 'post' | 'author' | 'search', string>>;
}

export async function seededSite(): Promise<SeededSite> {
  buildIfStale();
  const site = await ownSite();
  execFileSync(process.execPath, [join(SCRIPTS, 'seed.ts')], {
    env: { ...process.env, DATA_DIR: site.dataDirectory, PORT: new URL(site.url).port, EMBEDDED_RATE_LIMITS: 'off' },
    stdio: 'pipe',
  });
  const post = await (await fetch(site.url + SAMPLE_POST)).text();
  const author = /\/author\/[\w.-]+/.exec(post)?.[0];
  if (!author) throw new Error('The sample post names no author.');
  return { site, pages: { home: '/', post: SAMPLE_POST, author, search: '/search' } };
}
