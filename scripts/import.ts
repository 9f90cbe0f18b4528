/**
 * `npm run import -- [FORMAT] PATH`: takes what another platform exported.
 * Exit code 0 when every post was taken, 1 when one could not be, when something of one was lost, or when the command was wrong.
 */

import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { provision } from '#backend/provision.ts';
import { type Admin, createAdmin } from '#backend/server-key/admin.ts';
import { faultOf } from '#blog/errors.ts';
import { type BackendAccess, withBackend } from '#server/backend/embedded.ts';
import { type Configuration, readConfiguration } from '#server/configuration.ts';
import { READ } from '#server/imports/import-process.ts';
import { FORMATS, formatOf, openCollection } from '#transfer/formats.ts';
import { createProgress, exitCode, reportText } from '#transfer/write/report.ts';
import { type Result, writePosts } from '#transfer/write/write.ts';

const USAGE = `npm run import -- [FORMAT] PATH [options]

  FORMAT                  ${Object.keys(FORMATS).join(', ')}; left out, it is told from the content
  PATH                    what the other platform exported: a folder, a zip file or a file
  --author EMAIL          the account whose posts they become, by its address or id; without it, those of the people who
                          wrote them
  --create-author NAME    make that account if there is none; its password is printed
  --old-site URL          the address the posts had: links to it become links between posts
  --media DIR             a folder with the old site's files
  --source NAME           what remembers the posts under this name, wherever PATH is (default: PATH)
  --no-fetch              fetch no picture from the old site
  --accept-losses         end with 0 although something was not taken
  --dry-run               write nothing, and say what a run would
  --report FILE           write the outcome of every post as JSON
`;

/** Wrong arguments; the message says what to do. */
class UsageError extends Error {}

interface Arguments {
  readonly format: string;
  readonly path: string;
  readonly author?: string | undefined;
  readonly createAuthor?: string | undefined;
  readonly oldSite?: string | undefined;
  readonly media?: string | undefined;
  readonly source?: string | undefined;
  readonly fetches: boolean;
  readonly acceptLosses: boolean;
  readonly dryRun: boolean;
  readonly report?: string | undefined;
}

async function readArguments(): Promise<Arguments> {
  const { values, positionals } = parsed();
  const isNamed = positionals.length > 1 || (positionals[0] ?? '') in FORMATS;
  const [named, path, ...more] = isNamed ? positionals : [undefined, ...positionals];
  if (!path || more.length > 0) throw new UsageError(`Say what to import.\n\n${USAGE}`);
  const oldSite = values['old-site']?.replace(/\/+$/, '');
  if (oldSite && !/^https?:\/\/[^/]+/.test(oldSite))
    throw new UsageError('--old-site must be an address such as https://blog.example.com');
  return {
    format: named ?? (await formatOf(path)),
    path,
    author: values.author,
    createAuthor: values['create-author'],
    oldSite,
    media: values.media,
    source: values.source,
    fetches: !values['no-fetch'],
    acceptLosses: values['accept-losses'],
    dryRun: values['dry-run'],
    report: values.report,
  };
}

function parsed() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        author: text,
        'create-author': text,
        'old-site': text,
        media: text,
        source: text,
        report: text,
        'no-fetch': flag,
        'accept-losses': flag,
        'dry-run': flag,
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

async function authorId(admin: Admin, { author, createAuthor, dryRun }: Arguments): Promise<string | undefined> {
  if (!author) return undefined;
  if (!author.includes('@') && (await admin.hasUser(author))) return author;
  const known = await admin.authorByEmail(author);
  if (known) return known.id;
  if (!createAuthor)
    throw new UsageError(
      `There is no account with the e-mail ${author}. Sign up with it first, or add --create-author NAME.`,
    );
  if (dryRun) return 'not-made-yet';
  const { user, password } = await admin.createAuthor({ email: author, name: createAuthor });
  console.log(`Made the account ${author}. Its password, shown this once: ${password}`);
  return user.id;
}

/** A dry run changes nothing, the backend's schema no more than its posts. */
async function prepare(target: Parameters<typeof provision>[0], dryRun: boolean, writers: Configuration['writers']) {
  const changes = await provision(target, { check: dryRun, writers });
  if (dryRun && changes.some((change) => /^(?:database|collection) .+: created/.test(change))) {
    throw new UsageError('The backend is not set up yet: start the site once, or run npm run provision.');
  }
}

/** The server that started this shows the progress on its page. */
function toldToServer(): ReturnType<typeof createProgress> {
  return { show: (entry, done, all) => process.send?.({ done, all, entry }), end: () => undefined };
}

async function run(given: Arguments, configuration: Configuration, access: BackendAccess): Promise<Result[]> {
  const target = { ...configuration.appwrite, ...access };
  const fetched = given.fetches ? configuration.publishing.remotePictures : undefined;
  const temporary = process.send && dirname(given.path);
  const collection = await openCollection(given.format, { ...given, fetch: fetched, temporary });
  try {
    await prepare(target, given.dryRun, configuration.writers);
    const admin = createAdmin(target);
    const userId = await authorId(admin, given);
    const progress = process.send ? toldToServer() : createProgress(process.stdout);
    const { site, dataDirectory } = configuration;
    const { dryRun, path, source, format } = given;
    const { origin } = collection;
    // An upload has no place of its own: a newer export of the same blog is the same source.
    const place = process.send && origin !== undefined ? `upload ${format} ${origin}` : (source ?? resolve(path));
    const results = await writePosts(collection, {
      admin,
      site,
      userId,
      dataDirectory,
      place,
      dryRun,
      signal,
      onResult: progress.show,
    });
    progress.end();
    return results;
  } finally {
    await collection.close?.();
  }
}

/** Aborted when the run is to end, or when the server that started it is gone: after the post that is being written. */
const controller = new AbortController();
const { signal } = controller;
for (const event of ['SIGTERM', 'disconnect'] as const) process.once(event, () => controller.abort());
process.on('SIGINT', () => controller.abort());

try {
  const given = await readArguments();
  const configuration = readConfiguration();
  const results = await withBackend(configuration, (access) => run(given, configuration, access));
  if (given.dryRun) console.log('Nothing was written. A run would say:');
  process.stdout.write(reportText(results));
  if (given.report) await writeFile(given.report, `${JSON.stringify(results, null, 1)}\n`);
  if (signal.aborted) console.log('It was ended before it was through. Run it again, and it goes on.');
  process.send?.(READ);
  process.exitCode = signal.aborted ? 1 : exitCode(results, given.acceptLosses);
} catch (error) {
  console.error(faultOf(error).message || error);
  process.exitCode = 1;
} finally {
  // The channel to the server would keep this process.
  process.disconnect?.();
}
