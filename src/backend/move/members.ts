/** Moves who is in charge of the site: the roles of its team, and whether everybody writes or members alone. */
import { Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { Writers } from '#blog/people.ts';
import { everyMember, giveRole, type Member } from '../people/site-team.ts';
import { whoWrites } from '../people/who-writes.ts';
import { listDocuments } from './documents.ts';
import type { MoveOptions, StageReport } from './report.ts';
import { NOT_MADE, type Side } from './side.ts';

/** The key in `kept` of who may write; no user has such an id. */
const WHO_WRITES = '';
const IN_WORDS: Readonly<Record<Writers, string>> = { everyone: 'everyone with an account', members: 'members alone' };

/**
 * Who may write at the receiving end: as at the source where nothing is there yet. What somebody set there is kept, and
 * named in `report`, except that a site without posts never stays open to everyone when the source is not.
 */
export async function writersFor(from: Side, to: Side, report: StageReport): Promise<Writers> {
  const source = await whoWrites(from.target);
  const found = await whoWrites(to.target).catch((error: unknown) => {
    if (NOT_MADE.test(faultOf(error).type)) return source;
    throw error;
  });
  if (found === source) return source;
  if (source === 'members' && (await listDocuments(to, 'posts')([Query.limit(1)])).length === 0) return source;
  report.kept.set(
    WHO_WRITES,
    `who may write: ${IN_WORDS[found]} at the receiving end, ${IN_WORDS[source]} at the source`,
  );
  return found;
}

type Members = ReadonlyMap<string, Member>;

/** Everybody with a role, and the invited, by user. */
export const membersOf = async ({ target }: Side): Promise<Members> =>
  new Map((await everyMember(target)).map((member) => [member.userId, member]));

/**
 * Gives every member the role there that they have at `from`. Their accounts are there already; `there` is who was a member
 * before that, as an account that was made anew joins later than its role was changed.
 */
export async function moveMembers(
  from: Side,
  to: Side,
  there: Members,
  report: StageReport,
  options: MoveOptions,
): Promise<void> {
  let done = 0;
  for (const { userId, email, role, hasJoined, changedAt } of (await membersOf(from)).values()) {
    const name = email || userId;
    const other = there.get(userId);
    const joined = other?.hasJoined ? other : undefined;
    try {
      if (joined?.role === role) report.unchanged += 1;
      else if (!hasJoined) {
        // A key can give no open invitation, and a role given at once needs no proof that the address is theirs.
        report.kept.set(userId, `${name}: has not answered an invitation; invite them again`);
      } else if (joined && Date.parse(joined.changedAt) > Date.parse(changedAt)) {
        report.kept.set(userId, `${name}: the role was changed at the receiving end`);
      } else {
        if (!options.dryRun) await giveRole(to.target, userId, role);
        report[joined ? 'updated' : 'created'] += 1;
      }
    } catch (error) {
      report.failed.push(`Role of ${name}: ${error instanceof Error ? error.message : error}`);
    }
    options.onProgress?.('members', ++done);
  }
}

/** One sentence for each role of `from` that `to` lacks or has otherwise, apart from what was left alone. */
export async function differingMembers(from: Side, to: Side, kept: ReadonlyMap<string, string>): Promise<string[]> {
  const there = await membersOf(to);
  return [...(await membersOf(from)).values()].flatMap(({ userId, role }) => {
    const other = there.get(userId);
    if (kept.has(userId) || (other?.hasJoined && other.role === role)) return [];
    return [`User ${userId} is not ${role} at the receiving end.`];
  });
}
