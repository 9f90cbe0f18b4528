/**
 * `npm run import -- markdown DIR --author EMAIL`: takes a folder of Markdown, as Jekyll, Hugo, Astro or Zola keep it.
 * Exit code 0 when every file was taken or holds no post, 1 when one could not be taken or the command was wrong.
 */

import { stat, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Admin, createAdmin } from '#backend/admin.ts';
import { provision } from '#backend/provision.ts';
import { faultOf } from '#blog/errors.ts';
import { type Configuration, readConfiguration } from '#server/configuration.ts';
import { type BackendAccess, withBackend } from '#server/embedded.ts';
import { createProgress, exitCode, reportText } from './import/report.ts';
import { importMarkdown, type Result } from './import/run.ts';

const USAGE = `npm run import -- markdown DIR --author EMAIL [options]

  DIR                     a folder of Markdown files, with their pictures beside them
  --author EMAIL          the account whose posts they become
  --create-author NAME    make that account if there is none; its password is printed
  --old-site URL          the address the posts had: links to it become links between posts
  --report FILE           write the outcome of every file as JSON
`;

/** Wrong arguments; the message says what to do. */
class UsageError extends Error {}

interface Arguments {
  readonly folder: string;
  readonly author: string;
  readonly createAuthor?: string | undefined;
  readonly oldSite?: string | undefined;
  readonly report?: string | undefined;
}

async function readArguments(): Promise<Arguments> {
  const { values, positionals } = parsed();
  const [kind, folder, ...more] = positionals;
  if (kind !== 'markdown' || !folder || more.length > 0) throw new UsageError(`Say what to import.\n\n${USAGE}`);
  if (!values.author) throw new UsageError(`Name the author by e-mail: --author EMAIL.\n\n${USAGE}`);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`${folder} is not a folder. Name the folder that holds the Markdown files.`);
  const oldSite = values['old-site']?.replace(/\/+$/, '');
  if (oldSite && !/^https?:\/\/[^/]+/.test(oldSite))
    throw new UsageError('--old-site must be an address such as https://blog.example.com');
  return { folder, author: values.author, createAuthor: values['create-author'], oldSite, report: values.report };
}

function parsed() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: { author: text, 'create-author': text, 'old-site': text, report: text },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

async function authorId(admin: Admin, { author, createAuthor }: Arguments): Promise<string> {
  const known = await admin.authorByEmail(author);
  if (known) return known.id;
  if (!createAuthor)
    throw new UsageError(
      `There is no account with the e-mail ${author}. Sign up with it first, or add --create-author NAME.`,
    );
  const { user, password } = await admin.createAuthor({ email: author, name: createAuthor });
  console.log(`Made the account ${author}. Its password, shown this once: ${password}`);
  return user.id;
}

async function run(given: Arguments, configuration: Configuration, access: BackendAccess): Promise<Result[]> {
  const target = { ...configuration.appwrite, ...access };
  await provision(target);
  const admin = createAdmin(target);
  const userId = await authorId(admin, given);
  const progress = createProgress(process.stdout);
  const { site, dataDirectory } = configuration;
  const results = await importMarkdown({ ...given, admin, site, userId, dataDirectory, onResult: progress.show });
  progress.end();
  return results;
}

try {
  const given = await readArguments();
  const configuration = readConfiguration();
  const results = await withBackend(configuration, (access) => run(given, configuration, access));
  process.stdout.write(reportText(results));
  if (given.report) await writeFile(given.report, `${JSON.stringify(results, null, 1)}\n`);
  process.exitCode = exitCode(results);
} catch (error) {
  console.error(faultOf(error).message || error);
  process.exitCode = 1;
}
