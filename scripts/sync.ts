/** `npm run sync -- DIR`: keeps a folder of Markdown files and the blog equal. Exits with 1 on a conflict or a failure. */
import { resolve } from 'node:path';
import { subscribeToPublicPosts } from '#backend/server/subscribe-to-posts.ts';
import { createAdmin } from '#backend/server-key/admin.ts';
import { wholeSite } from '#backend/server-key/whole-site.ts';
import { faultOf, OperatorError } from '#blog/errors.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { openCommits } from '#sync/commit.ts';
import { createSourceCache } from '#sync/source-cache.ts';
import { type SyncResult, syncFolder } from '#sync/sync-folder.ts';
import { watchFolder } from '#sync/watch-folder.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';

const USAGE = `npm run sync -- DIR [options]

  DIR             a folder of Markdown files: an export, or one of Hugo, Jekyll, Eleventy, Astro or Obsidian
  --watch         go on, and sync after every change of a file or a post
  --author EMAIL  the author of new posts whose files name none
  --commit        commit each change of a file in git, in the name of the post's author
  --delete        delete the posts of deleted files (default: unpublish them)
  --yes           sync although many files or posts have changed or are gone at once
  --dry-run       write nothing, and print what a run would do
`;

const ended = new AbortController();
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => ended.abort());

await runCommand(async () => {
  const { values, positionals } = readArguments(
    USAGE,
    { author: TEXT, watch: FLAG, commit: FLAG, delete: FLAG, yes: FLAG, 'dry-run': FLAG },
    1,
  );
  const [given] = positionals;
  if (!given) throw new OperatorError(USAGE);
  const directory = resolve(given);
  const configuration = readConfiguration();
  const { appwrite, site } = configuration;
  return withBackend(configuration, async (access) => {
    const target = { ...appwrite, ...access };
    const [admin, whole] = [createAdmin(target), wholeSite(target)];
    const author = values.author ? await admin.authorByEmail(values.author) : undefined;
    if (values.author && !author) throw new OperatorError(`There is no account with the e-mail ${values.author}.`);
    const blog = [appwrite.projectId, appwrite.databaseId, appwrite.collectionId].join('/');
    const isDryRun = values['dry-run'];
    const how = {
      directory,
      blog,
      site,
      admin,
      whole,
      userId: author?.id,
      deletes: values.delete,
      dryRun: isDryRun,
      isSure: values.yes,
      ...(values.watch && { cache: createSourceCache(directory) }),
    };
    const commit = values.commit && !isDryRun ? await openCommits(directory, whole) : undefined;
    const sync = async (): Promise<0 | 1> => {
      const results = await syncFolder({ ...how, onResult: print });
      for (const result of results) await commit?.(result);
      return results.some(({ action }) => action === 'conflict' || action === 'failed') ? 1 : 0;
    };
    const outcome = await sync();
    if (!values.watch || isDryRun) return outcome;
    console.log(`Watching ${directory}. Press Ctrl+C to end.`);
    let newest = await whole.lastChange();
    await watchFolder({
      directory,
      signal: ended.signal,
      sync: () =>
        sync().then(
          () => undefined,
          (error: unknown) => console.error(faultOf(error).message),
        ),
      async hasChanged() {
        const former = newest;
        newest = await whole.lastChange();
        return newest !== former;
      },
      listen: (changed) => subscribeToPublicPosts({ ...target, endpoint: access.endpoint }, changed),
    });
    return 0;
  });
});

function print({ path, action, notes }: SyncResult): void {
  console.log(`${action.padEnd(16)} ${path}`);
  for (const note of notes) console.log(`                 ${note}`);
}
