/**
 * Moves a whole blog from one Appwrite to another, embedded or real. What is there already is compared, not copied
 * again: a move that was interrupted goes on where it ended, and a second one changes nothing.
 */
import { type ProvisionTarget, provision } from '../provision.ts';
import { moveDocuments } from './documents.ts';
import { moveFiles } from './files.ts';
import { membersOf, moveMembers, writersFor } from './members.ts';
import { type MoveOptions, type MoveReport, newStageReport } from './report.ts';
import { openSide } from './side.ts';
import { moveUsers } from './users.ts';
import { verify } from './verify.ts';

export interface MoveResult {
  readonly report: MoveReport;
  /** What was made or corrected of the receiving end's schema, or would be; one sentence each. */
  readonly schema: readonly string[];
  /** One sentence for each thing that is not the same at both ends afterwards; empty after a dry run. */
  readonly differences: readonly string[];
}

/**
 * Moves users, then their roles, then files, then posts (a post's picture is there before the post) and their former
 * versions, then compares both ends.
 * @throws ProvisionError when the receiving end cannot be given the schema.
 */
export async function move(from: ProvisionTarget, to: ProvisionTarget, options: MoveOptions): Promise<MoveResult> {
  const report = {
    users: newStageReport(),
    members: newStageReport(),
    posts: newStageReport(),
    revisions: newStageReport(),
    files: newStageReport(),
  };
  const [source, target] = [openSide(from), openSide(to)];
  const writers = await writersFor(source, target, report.members);
  const schema = await provision(to, { check: options.dryRun, writers });
  const members = await membersOf(target);
  await moveUsers(source, target, report.users, options);
  await moveMembers(source, target, members, report.members, options);
  await moveFiles(source, target, report.files, options);
  await moveDocuments(source, target, 'posts', report.posts, options);
  await moveDocuments(source, target, 'revisions', report.revisions, options);
  return { report, schema, differences: options.dryRun ? [] : await verify(source, target, report) };
}
