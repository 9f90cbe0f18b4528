/** Compares both ends of a move, thing by thing. */
import type { Models } from 'node-appwrite';
import { type DocumentStage, differingInDocument, KINDS, listDocuments } from './documents.ts';
import { isWhole, listFiles, sameFile } from './files.ts';
import { differingMembers } from './members.ts';
import type { MoveReport } from './report.ts';
import { findByIds, pages, type Side } from './side.ts';
import { differingIn, listUsers } from './users.ts';

async function* compare<T extends { $id: string }>(
  what: string,
  from: (queries: string[]) => Promise<readonly T[]>,
  to: (queries: string[]) => Promise<readonly T[]>,
  /** The field that differs, or nothing. */
  differing: (a: T, b: T) => string | undefined,
  kept: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  for await (const page of pages(from)) {
    const there = await findByIds(
      page.map(({ $id }) => $id),
      to,
    );
    for (const row of page.filter(({ $id }) => !kept.has($id))) {
      const other = there.get(row.$id);
      if (!other) yield `${what} ${row.$id} is missing at the receiving end.`;
      const field = other && differing(row, other);
      if (field) yield `${what} ${row.$id} differs at the receiving end, in ${field}.`;
    }
  }
}

const differingInFile = (a: Models.File, b: Models.File) =>
  !isWhole(a) || sameFile(a, b) ? undefined : a.signature === b.signature ? 'its name or permissions' : 'its bytes';

/**
 * One sentence for each thing of `from` that `to` lacks or has otherwise, apart from what was left alone. What only
 * `to` has is its own.
 */
export async function verify(
  from: Side,
  to: Side,
  { users, members, posts, revisions, files }: MoveReport,
): Promise<string[]> {
  const documents = (stage: DocumentStage, kept: ReadonlyMap<string, string>) =>
    compare(KINDS[stage].name, listDocuments(from, stage), listDocuments(to, stage), differingInDocument(stage), kept);
  return [
    ...(await Array.fromAsync(compare('User', listUsers(from), listUsers(to), differingIn, users.kept))),
    ...(await differingMembers(from, to, members.kept)),
    ...(await Array.fromAsync(documents('posts', posts.kept))),
    ...(await Array.fromAsync(documents('revisions', revisions.kept))),
    ...(await Array.fromAsync(compare('File', listFiles(from), listFiles(to), differingInFile, files.kept))),
  ];
}
