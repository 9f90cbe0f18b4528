/**
 * Moves an entire blog from one Appwrite to another, embedded or real. Writes only missing and differing items, so an
 * interrupted move can be run again, and repeating a completed move changes nothing.
 */

import { OperatorError } from '#blog/errors.ts';
import { isForeign } from '../foreign-blog/fields.ts';
import { type ForeignBlog, surveyBlog } from '../foreign-blog/survey.ts';
import { createLostAuthors } from '../foreign-blog/take-over.ts';
import { type KeyedBackend, keyedBackend } from '../keyed-backend.ts';
import { openPasskeyStore } from '../passkeys/stored-passkeys.ts';
import { provision } from '../provision.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';
import { moveDocuments } from './documents.ts';
import { moveFiles } from './files.ts';
import { membersOf, moveMembers, writersFor } from './members.ts';
import { type MoveOptions, type MoveReport, newStageReport } from './report.ts';
import { moveUsers } from './users.ts';
import { verify } from './verify.ts';

export interface MoveResult {
  readonly report: MoveReport;
  /** One sentence per change to the destination's schema, made or (in a dry run) needed. */
  readonly schema: readonly string[];
  /** One sentence per item that differs afterwards; empty after a dry run. */
  readonly differences: readonly string[];
  /** One line for each kind of change made to posts from another program's blog, with the ids of those posts. */
  readonly notes: readonly string[];
}

/**
 * Moves users, roles, pictures, newsletter issues, posts, former versions, subscribers, settings and passkeys, in this
 * order, so that a post's pictures arrive before the post. If the source is another program's blog, moves only users,
 * pictures and posts. Then compares both sides, unless it is a dry run.
 * @throws OperatorError if the schema cannot be provisioned, or if another program's posts cannot be moved
 */
export async function move(from: ServerTarget, to: ServerTarget, options: MoveOptions): Promise<MoveResult> {
  const report = {
    users: newStageReport(),
    members: newStageReport(),
    posts: newStageReport(),
    revisions: newStageReport(),
    files: newStageReport(),
    settings: newStageReport(),
    subscribers: newStageReport(),
    issues: newStageReport(),
    passkeys: newStageReport(),
  };
  const [source, target] = [keyedBackend(from), keyedBackend(to)];
  const blog = await foreignBlog(source, options);
  const writers = await writersFor(source, target, report.members);
  const schema = await provision(to, { check: options.dryRun, writers });
  const members = await membersOf(target);
  await moveUsers(source, target, report.users, options);
  if (blog) {
    if (!options.dryRun) await createLostAuthors(target, blog);
    await moveFiles(source, target, report.files, options, blog.movedFile);
    await moveDocuments(source, target, 'posts', report.posts, options, (row) => blog.movedPost(row, to));
    const differences = options.dryRun ? [] : await verify(source, target, report, blog);
    return { report, schema, differences, notes: blog.notes };
  }
  await moveMembers(source, target, members, report.members, options);
  await moveFiles(source, target, report.files, options);
  // Issues are moved before posts, so that a running server at the destination does not email the posts again.
  await moveDocuments(source, target, 'issues', report.issues, options);
  await moveDocuments(source, target, 'posts', report.posts, options);
  await moveDocuments(source, target, 'revisions', report.revisions, options);
  for (const stage of ['subscribers', 'settings', 'passkeys'] as const)
    await moveDocuments(source, target, stage, report[stage], options);
  report.passkeys.withoutPasskey.push(...(await peopleOfOtherHosts(source, options.host)));
  return { report, schema, differences: options.dryRun ? [] : await verify(source, target, report), notes: [] };
}

/** Returns the source's blog if another program created it. @throws OperatorError if that blog cannot be moved */
async function foreignBlog(from: KeyedBackend, options: MoveOptions): Promise<ForeignBlog | undefined> {
  const collection = await from.databases.getCollection(from.articles);
  // The collection of former versions shows that this product provisioned the site, even if someone has since opened
  // its posts to everyone.
  const isProvisioned = await unless('collection_not_found', from.databases.getCollection(from.revisions));
  if ((isProvisioned || !isForeign(collection)) && !options.fields?.size) return undefined;
  const blog = await surveyBlog(from, options);
  if (blog.obstacles.length > 0) throw new OperatorError(blog.obstacles.join('\n'));
  return blog;
}

/** Returns the email addresses of people who have passkeys for a host other than `host`. */
async function peopleOfOtherHosts({ users, target }: KeyedBackend, host: string): Promise<string[]> {
  const names: string[] = [];
  for (const userId of await openPasskeyStore(target).peopleOfOtherHosts(host)) {
    const user = await unless('user_not_found', users.get({ userId }));
    if (user) names.push(user.email || userId);
  }
  return names;
}
