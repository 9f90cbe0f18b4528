/**
 * `npm run import -- [FORMAT] PATH`: imports another platform's export. Exits with 1 if it was stopped, a post failed,
 * part of one was lost, or the command was wrong.
 */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { provision } from '#backend/provision.ts';
import { type Admin, createAdmin } from '#backend/server-key/admin.ts';
import { OperatorError } from '#blog/errors.ts';
import { type BackendAccess, withBackend } from '#server/backend/embedded.ts';
import { type Configuration, readConfiguration } from '#server/configuration.ts';
import { READ } from '#server/imports/import-process.ts';
import { FORMATS, formatOf, openCollection } from '#transfer/formats.ts';
import { createProgress, exitCode, reportText } from '#transfer/write/report.ts';
import { type Result, writePosts } from '#transfer/write/write.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';

const USAGE = `npm run import -- [FORMAT] PATH [options]

  FORMAT                  ${Object.keys(FORMATS).join(', ')}; default: detected from the content
  PATH                    the export of the other platform: a folder, a zip file or a single file
  --author EMAIL          the account that will own the posts, by e-mail or id (default: their original authors)
  --create-author NAME    create that account if it does not exist, and print its password
  --old-site URL          the address of the old site; links to it become links between the posts
  --media DIR             a folder with the old site's files
  --source NAME           remember the posts under this name, so that PATH may change (default: PATH)
  --no-fetch              do not fetch pictures from the old site
  --accept-losses         exit with 0 even if something was not imported
  --dry-run               write nothing, and print what a run would do
  --report FILE           write the outcome of every post as JSON
`;

const OPTIONS = {
  ...{ author: TEXT, 'create-author': TEXT, 'old-site': TEXT, media: TEXT, source: TEXT, report: TEXT },
  ...{ 'no-fetch': FLAG, 'accept-losses': FLAG, 'dry-run': FLAG },
};

async function givenArguments() {
  const { values, positionals } = readArguments(USAGE, OPTIONS, 2);
  const isNamed = positionals.length > 1 || (positionals[0] ?? '') in FORMATS;
  const [named, path] = isNamed ? positionals : [undefined, ...positionals];
  if (!path) throw new OperatorError(`Name the export to import.\n\n${USAGE}`);
  const oldSite = values['old-site']?.replace(/\/+$/, '');
  if (oldSite && !/^https?:\/\/[^/]+/.test(oldSite))
    throw new OperatorError('--old-site must be an address such as https://blog.example.com');
  return { ...values, format: named ?? (await formatOf(path)), path, oldSite, dryRun: values['dry-run'] };
}
type Given = Awaited<ReturnType<typeof givenArguments>>;

async function authorId(admin: Admin, { author, dryRun, ...given }: Given): Promise<string | undefined> {
  if (!author) return undefined;
  if (!author.includes('@') && (await admin.hasUser(author))) return author;
  const known = await admin.authorByEmail(author);
  if (known) return known.id;
  const name = given['create-author'];
  if (!name)
    throw new OperatorError(
      `There is no account with the e-mail ${author}. Sign up first, or add --create-author NAME.`,
    );
  if (dryRun) return 'not-made-yet';
  const { user, password } = await admin.createAuthor({ email: author, name });
  console.log(`Created the account ${author}. Its password, shown only once: ${password}`);
  return user.id;
}

async function prepare(target: Parameters<typeof provision>[0], dryRun: boolean, writers: Configuration['writers']) {
  const changes = await provision(target, { check: dryRun, writers });
  if (dryRun && changes.some((change) => /^(?:database|collection) .+: created/.test(change))) {
    throw new OperatorError('The backend is not set up yet: start the site once, or run npm run provision.');
  }
}

function toldToServer(): ReturnType<typeof createProgress> {
  return { show: (entry, done, all) => process.send?.({ done, all, entry }), end: () => undefined };
}

async function run(given: Given, configuration: Configuration, access: BackendAccess): Promise<Result[]> {
  const target = { ...configuration.appwrite, ...access };
  const fetched = given['no-fetch'] ? undefined : configuration.publishing.remotePictures;
  const collection = await openCollection(given.format, { ...given, fetch: fetched });
  try {
    await prepare(target, given.dryRun, configuration.writers);
    const admin = createAdmin(target);
    const userId = await authorId(admin, given);
    const progress = process.send ? toldToServer() : createProgress(process.stdout);
    const { site, dataDirectory } = configuration;
    const { dryRun, path, source, format } = given;
    const { origin } = collection;
    // Identifies the source, so that a repeated import recognises its posts. An upload is identified by the exported
    // blog, if that is known, because the path of an uploaded file is different each time.
    const place = process.send && origin !== undefined ? `upload ${format} ${origin}` : (source ?? resolve(path));
    const how = { admin, site, userId, dataDirectory, place, dryRun, signal };
    const results = await writePosts(collection, { ...how, onResult: progress.show });
    progress.end();
    return results;
  } finally {
    await collection.close?.();
  }
}

/** Aborts on a signal, or when the server that started this process ends. The import stops after the current post. */
const controller = new AbortController();
const { signal } = controller;
for (const event of ['SIGTERM', 'disconnect'] as const) process.once(event, () => controller.abort());
process.on('SIGINT', () => controller.abort());

await runCommand(async () => {
  const given = await givenArguments();
  const configuration = readConfiguration();
  const results = await withBackend(configuration, (access) => run(given, configuration, access));
  if (given.dryRun) console.log('Nothing was written. A real run would report:');
  process.stdout.write(reportText(results));
  if (given.report) await writeFile(given.report, `${JSON.stringify(results, null, 1)}\n`);
  if (signal.aborted) console.log('The import was stopped before it finished. Run it again to continue.');
  process.send?.(READ);
  return signal.aborted ? 1 : exitCode(results, given['accept-losses']);
});
// An open channel to the server would keep this process running.
process.disconnect?.();
