/**
 * `npm run sync -- DIR`: keeps a folder of Markdown files and the blog in sync. Exits with 1 on a conflict or failure.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { keyedBackend } from '#backend/keyed-backend.ts';
import { type PublicPostsOptions, subscribeToPublicPosts } from '#backend/server/subscribe-to-posts.ts';
import { createAdmin } from '#backend/server-key/admin.ts';
import { openSyncedFiles } from '#backend/server-key/synced-files.ts';
import { wholeSite } from '#backend/server-key/whole-site.ts';
import { OperatorError } from '#blog/errors.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { siteAt } from '#server/site-process.ts';
import { openCommits } from '#sync/commit.ts';
import { signedIn } from '#sync/signed-in.ts';
import { createSourceCache } from '#sync/source-cache.ts';
import { type SyncOptions, syncFolder } from '#sync/sync-folder.ts';
import type { Action, SyncResult } from '#sync/sync-pair.ts';
import { watchFolder } from '#sync/watch-folder.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';
import { createPrompt } from './prompt.ts';

const USAGE = `npm run sync -- DIR [options]

  DIR             a folder of Markdown files: an export, or one of Hugo, Jekyll, Eleventy, Astro or Obsidian
  --watch         keep running, and sync whenever a file or post changes
  --author EMAIL  the author of new posts whose files name none
  --site URL      sync your own posts with a blog elsewhere; asks for your password once
  --commit        commit each change that comes from the blog in git, in the name of the post's author
  --delete        delete the posts of deleted files (default: unpublish them)
  --yes           sync even if many files or posts have changed or are gone at once
  --dry-run       write nothing, and print what a run would do
`;

/** Results that every run repeats until the file or the post changes. */
const LASTING: readonly Action[] = ['conflict', 'failed', 'skipped'];

const { log, error } = console;
const ended = new AbortController();
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => ended.abort());

const OPTIONS = { author: TEXT, site: TEXT, watch: FLAG, commit: FLAG, delete: FLAG, yes: FLAG, 'dry-run': FLAG };

function givenArguments() {
  const { values, positionals } = readArguments(USAGE, OPTIONS, 1);
  const [directory] = positionals;
  if (!directory) throw new OperatorError(USAGE);
  return { ...values, directory: resolve(directory) };
}
type Given = ReturnType<typeof givenArguments>;

await runCommand(async () => {
  const given = givenArguments();
  if (given.site) return run(given, await elsewhere(given.site, given.author));
  const configuration = readConfiguration();
  const { appwrite, site } = configuration;
  return withBackend(configuration, async (access) => {
    const target = { ...appwrite, ...access };
    const admin = createAdmin(target);
    const author = given.author ? await admin.authorByEmail(given.author) : undefined;
    if (given.author && !author) throw new OperatorError(`There is no account with the e-mail ${given.author}.`);
    const blog = [appwrite.projectId, appwrite.databaseId, appwrite.collectionId].join('/');
    const backend = { whole: wholeSite(target), syncedFiles: openSyncedFiles(keyedBackend(target)), target };
    return run(given, { blog, site, admin, userId: author?.id, ...backend });
  });
});

interface Blog extends Pick<SyncOptions, 'blog' | 'site' | 'admin' | 'whole' | 'syncedFiles' | 'userId'> {
  readonly target: PublicPostsOptions;
}

/** Signs in to another site and opens the writer's own posts there. */
async function elsewhere(address: string, email: string | undefined): Promise<Blog> {
  const origin = URL.canParse(address) && /^https?:/.test(address) ? new URL(address).origin : undefined;
  const site = origin && (await siteAt(origin));
  if (!site) throw new OperatorError(`No blog answers at ${address}. Give its address: --site https://blog.example`);
  const configuration = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const file = join(configuration, 'common-ink', 'sessions.json');
  const prompt = createPrompt();
  try {
    const { user, ...own } = await signedIn({ address: origin, site, email, file, ask: prompt.ask });
    const blog = [origin, site.databaseId, site.collectionId, user.id].join('/');
    const endpoint = new URL(site.endpoint, origin).href;
    return { ...own, blog, site, userId: user.id, target: { ...site, endpoint } };
  } finally {
    prompt.close();
  }
}

async function run({ directory, ...values }: Given, { target, ...blog }: Blog): Promise<0 | 1> {
  const { whole } = blog;
  const dryRun = values['dry-run'];
  const cache = values.watch ? createSourceCache(directory) : undefined;
  const how = { ...blog, directory, deletes: values.delete, dryRun, isSure: values.yes, ...(cache && { cache }) };
  const commit = values.commit && !dryRun ? await openCommits(directory, whole) : undefined;
  /** Lines that the last run printed and the next run would repeat. They are not printed again. */
  let told = new Set<string>();
  const sync = async (isConsistent?: () => boolean): Promise<0 | 1> => {
    const onResult = (result: SyncResult) => told.has(textOf(result)) || log(textOf(result));
    const results = await syncFolder({ ...how, ...(isConsistent && { isConsistent, boundsNew: true }), onResult });
    told = new Set(results.filter(({ action }) => LASTING.includes(action)).map(textOf));
    for (const result of results) await commit?.(result);
    return results.some(({ action }) => action === 'conflict' || action === 'failed') ? 1 : 0;
  };
  const outcome = await sync();
  if (!values.watch || dryRun) return outcome;
  let newest = await whole.lastChange();
  log(`Watching ${directory}. Press Ctrl+C to end.`);
  // Silences the SDK, which logs each attempt to reconnect.
  Object.assign(console, { log: () => undefined, error: () => undefined });
  await watchFolder({
    directory,
    signal: ended.signal,
    sync,
    report: error,
    async hasChanged() {
      const former = newest;
      newest = await whole.lastChange();
      return newest !== former;
    },
    listen: (changed) => subscribeToPublicPosts(target, changed),
  });
  return 0;
}

function textOf({ path, action, notes }: SyncResult): string {
  return [`${action.padEnd(16)} ${path}`, ...notes.map((note) => `                 ${note}`)].join('\n');
}
