/**
 * `npm run move -- --to URL --project ID --key KEY [--dry-run]`: moves this site's content, accounts, settings and
 * subscribers to another Appwrite. With `--from URL …` instead, moves them from that Appwrite to this site. An
 * interrupted move can be run again.
 */
import { parseFieldMap } from '#backend/foreign-blog/fields.ts';
import { type MoveResult, move } from '#backend/move/move.ts';
import type { Stage } from '#backend/move/report.ts';
import { OperatorError } from '#blog/errors.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';

const USAGE = `Usage: npm run move -- --to URL --project ID --key KEY [--dry-run]
       npm run move -- --from URL --project ID --key KEY [--dry-run] [--map FIELD=ATTRIBUTE,…] [--public]
URL ends in /v1. KEY needs the scopes users, teams, databases, collections, attributes, indexes, documents, buckets and
files, each read and write. --database, --collection, --revisions and --bucket set the ids used at URL; the defaults are this site's.
--map and --public are for blogs of other programs (docs/moving-from-megablog.md).`;

const OPTIONS = {
  ...{ to: TEXT, from: TEXT, project: TEXT, key: TEXT },
  ...{ database: TEXT, collection: TEXT, revisions: TEXT, bucket: TEXT, map: TEXT },
  ...{ 'dry-run': FLAG, public: FLAG },
};

function showProgress(stage: Stage, done: number): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${stage}: ${done}   `);
  else if (done % 1000 === 0) console.log(`${stage}: ${done}`);
}

function print({ report, schema, differences, notes }: MoveResult, dryRun: boolean): boolean {
  if (process.stdout.isTTY) process.stdout.write('\r');
  if (dryRun && schema.length > 0) {
    console.log('These parts of the schema would be created at the destination:');
    for (const line of schema) console.log(`  ${line}`);
  }
  for (const [stage, done] of Object.entries(report)) {
    const { created, updated, unchanged, kept, withoutPassword, withoutSecondFactor, withoutPasskey, failed } = done;
    const verb = dryRun ? 'would be ' : '';
    console.log(`${stage}: ${created} ${verb}created, ${updated} ${verb}updated, ${unchanged} already up to date`);
    for (const line of kept.values()) console.log(`  left alone: ${line}`);
    for (const [what, people] of [
      ['a password, because the destination does not accept its hash (they must set a new one)', withoutPassword],
      ['a second factor, because no backend gives it out (they must set it up again)', withoutSecondFactor],
      ['a passkey that works here, because theirs are for a host other than SITE_URL’s', withoutPasskey],
    ] as const)
      if (people.length > 0) console.log(`  without ${what}: ${people.join(', ')}`);
    for (const line of failed) console.log(`  failed: ${line}`);
  }
  for (const line of notes) console.log(`note: ${line}`);
  for (const line of differences) console.log(line);
  const clean = differences.length === 0 && Object.values(report).every(({ failed }) => failed.length === 0);
  const isAll = Object.values(report).every(
    ({ kept, withoutPassword, withoutSecondFactor, withoutPasskey }) =>
      kept.size + notes.length + withoutPassword.length + withoutSecondFactor.length + withoutPasskey.length === 0,
  );
  const equal = `Source and destination were compared and are identical${isAll ? '' : ', apart from what is listed above'}.`;
  if (!dryRun) console.log(clean ? equal : 'Some data could not be moved. See above, then run this again.');
  return clean;
}

await runCommand(async () => {
  const given = readArguments(USAGE, OPTIONS).values;
  const remoteUrl = given.to ?? given.from;
  if (!remoteUrl || (given.to && given.from) || !given.project || !given.key) throw new OperatorError(USAGE);
  if (!URL.canParse(remoteUrl) || !new URL(remoteUrl).pathname.endsWith('/v1'))
    throw new OperatorError(`${remoteUrl} does not end in /v1.`);
  const configuration = readConfiguration();
  const { appwrite, siteUrl } = configuration;
  const remote = {
    ...{ endpoint: remoteUrl, projectId: given.project, apiKey: given.key },
    databaseId: given.database ?? appwrite.databaseId,
    collectionId: given.collection ?? appwrite.collectionId,
    revisionsId: given.revisions ?? appwrite.revisionsId,
    bucketId: given.bucket ?? appwrite.bucketId,
  };
  const dryRun = given['dry-run'];
  const foreign = { fields: parseFieldMap(given.map), makePublic: given.public };
  const options = { dryRun, host: new URL(siteUrl).hostname, ...foreign, onProgress: showProgress };
  const result = await withBackend(configuration, (access) => {
    const own = { ...appwrite, ...access };
    return given.to ? move(own, remote, options) : move(remote, own, options);
  });
  return print(result, dryRun) ? 0 : 1;
});
process.exit();
