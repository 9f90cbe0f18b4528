import type { Models } from 'node-appwrite';
import { filesOf, type KeyedBackend } from '../keyed-backend.ts';
import type { List } from '../walk.ts';
import { differingInDocument, KINDS, listDocuments } from './documents.ts';
import { isWhole, sameFile } from './files.ts';
import { differingMembers } from './members.ts';
import { pairs } from './pairs.ts';
import type { DocumentStage, MoveReport } from './report.ts';
import { differingIn, listUsers } from './users.ts';

async function* compare<T extends { $id: string }>(
  what: string,
  from: List<T>,
  to: List<T>,
  differing: (a: T, b: T) => string | undefined,
  kept: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  for await (const page of pairs(from, to)) {
    for (const [row, other] of page) {
      if (kept.has(row.$id)) continue;
      if (!other) yield `${what} ${row.$id} is missing at the destination.`;
      const field = other && differing(row, other);
      if (field) yield `${what} ${row.$id} differs at the destination, in ${field}.`;
    }
  }
}

const differingInFile = (a: Models.File, b: Models.File) =>
  !isWhole(a) || sameFile(a, b) ? undefined : a.signature === b.signature ? 'its name or permissions' : 'its bytes';

/** Returns a sentence for each item of `from` that is missing or different at `to` and not in the report's `kept`. */
export async function verify(
  from: KeyedBackend,
  to: KeyedBackend,
  { users, members, files, ...others }: MoveReport,
): Promise<string[]> {
  const documents = (stage: DocumentStage, kept: ReadonlyMap<string, string>) =>
    compare(KINDS[stage].name, listDocuments(from, stage), listDocuments(to, stage), differingInDocument(stage), kept);
  return [
    ...(await Array.fromAsync(compare('User', listUsers(from), listUsers(to), differingIn, users.kept))),
    ...(await differingMembers(from, to, members.kept)),
    ...(await Array.fromAsync(documents('posts', others.posts.kept))),
    ...(await Array.fromAsync(documents('revisions', others.revisions.kept))),
    ...(await Array.fromAsync(documents('settings', others.settings.kept))),
    ...(await Array.fromAsync(documents('subscribers', others.subscribers.kept))),
    ...(await Array.fromAsync(documents('issues', others.issues.kept))),
    ...(await Array.fromAsync(documents('passkeys', others.passkeys.kept))),
    ...(await Array.fromAsync(compare('File', filesOf(from), filesOf(to), differingInFile, files.kept))),
  ];
}
