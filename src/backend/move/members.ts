import { Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { Writers } from '#blog/people.ts';
import type { KeyedBackend } from '../keyed-backend.ts';
import { everyMember, giveRole, type Member } from '../people/site-team.ts';
import { whoWrites } from '../people/who-writes.ts';
import { unless } from '../unless.ts';
import { listDocuments } from './documents.ts';
import { NOT_MADE } from './pairs.ts';
import type { MoveOptions, StageReport } from './report.ts';

/** Key in `kept` for the note that the two sites have different settings for who may write. No user has this id. */
const WHO_WRITES = '';
const IN_WORDS: Readonly<Record<Writers, string>> = { everyone: 'everyone with an account', members: 'only members' };

/**
 * Returns who may write at the destination. A new site takes over the source's setting. An existing site keeps its
 * own and the difference is noted in `report`, unless it has no posts and the source restricts writing to members.
 */
export async function writersFor(from: KeyedBackend, to: KeyedBackend, report: StageReport): Promise<Writers> {
  const source = await whoWrites(from.target);
  const found = (await unless(NOT_MADE, whoWrites(to.target))) ?? source;
  if (found === source) return source;
  if (source === 'members' && (await listDocuments(to, 'posts')([Query.limit(1)])).length === 0) return source;
  report.kept.set(
    WHO_WRITES,
    `who may write: ${IN_WORDS[found]} at the destination, ${IN_WORDS[source]} at the source`,
  );
  return found;
}

type Members = ReadonlyMap<string, Member>;

export const membersOf = async ({ target }: KeyedBackend): Promise<Members> =>
  new Map((await everyMember(target)).map((member) => [member.userId, member]));

/**
 * Gives members at the destination their roles from the source. Call it after the members' accounts have been moved.
 * @param there the destination's members, read before accounts are moved: recreating an account changes `changedAt`
 */
export async function moveMembers(
  from: KeyedBackend,
  to: KeyedBackend,
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
        // A server key cannot send an invitation, and adding the role directly would not prove that the user owns the
        // address.
        report.kept.set(userId, `${name}: has not answered the invitation; invite them again`);
      } else if (joined && Date.parse(joined.changedAt) > Date.parse(changedAt)) {
        report.kept.set(userId, `${name}: the role was changed at the destination`);
      } else {
        if (!options.dryRun) await giveRole(to.target, userId, role);
        report[joined ? 'updated' : 'created'] += 1;
      }
    } catch (error) {
      report.failed.push(`Role of ${name}: ${faultOf(error).message}`);
    }
    options.onProgress?.('members', ++done);
  }
}

/** Returns a sentence for each role that is missing or different at the destination and not in `kept`. */
export async function differingMembers(
  from: KeyedBackend,
  to: KeyedBackend,
  kept: ReadonlyMap<string, string>,
): Promise<string[]> {
  const there = await membersOf(to);
  return [...(await membersOf(from)).values()].flatMap(({ userId, role }) => {
    const other = there.get(userId);
    if (kept.has(userId) || (other?.hasJoined && other.role === role)) return [];
    return [`User ${userId} is not ${role} at the destination.`];
  });
}
