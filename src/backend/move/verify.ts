import type { Models } from 'node-appwrite';
import type { ForeignBlog } from '../foreign-blog/survey.ts';
import { accountsOf, filesOf, type KeyedBackend } from '../keyed-backend.ts';
import type { List } from '../walk.ts';
import { differingInDocument, listDocuments, NAMES } from './documents.ts';
import { isWhole, sameFile } from './files.ts';
import { differingMembers } from './members.ts';
import { type Convert, pairs } from './pairs.ts';
import type { DocumentStage, MoveReport, StageReport } from './report.ts';
import { differingIn } from './users.ts';

async function* compare<T extends { $id: string }>(
  what: string,
  from: List<T>,
  to: List<T>,
  differing: (a: T, b: T) => string | undefined,
  kept: ReadonlyMap<string, string>,
  convert?: Convert<T>,
): AsyncGenerator<string> {
  for await (const page of pairs(from, to, convert)) {
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

/** Returns a sentence for each item that is missing or different at the destination and not in the report's `kept`. */
export async function verify(
  from: KeyedBackend,
  to: KeyedBackend,
  { users, members, files, ...others }: MoveReport,
  blog?: ForeignBlog,
): Promise<string[]> {
  const found = await Array.fromAsync(compare('User', accountsOf(from), accountsOf(to), differingIn, users.kept));
  if (!blog) found.push(...(await differingMembers(from, to, members.kept)));
  const post = blog && ((row: Models.DefaultDocument) => blog.movedPost(row, to.target));
  for (const [stage, { kept }] of Object.entries(others) as [DocumentStage, StageReport][]) {
    if (blog && stage !== 'posts') continue;
    const [here, there] = [listDocuments(from, stage), listDocuments(to, stage)];
    const documents = compare(NAMES[stage], here, there, differingInDocument(stage), kept, post);
    found.push(...(await Array.fromAsync(documents)));
  }
  const pictures = compare('File', filesOf(from), filesOf(to), differingInFile, files.kept, blog?.movedFile);
  return [...found, ...(await Array.fromAsync(pictures))];
}
