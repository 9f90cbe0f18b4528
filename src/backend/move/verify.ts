/** Compares both ends of a move, thing by thing. */
import { isWhole, listFiles, sameFile } from './files.ts';
import { listPosts, samePost } from './posts.ts';
import { found, pages, type Side } from './side.ts';
import { listUsers, sameUser } from './users.ts';

async function* compare<T extends { $id: string }>(
  what: string,
  from: (queries: string[]) => Promise<readonly T[]>,
  to: (queries: string[]) => Promise<readonly T[]>,
  same: (a: T, b: T) => boolean,
): AsyncGenerator<string> {
  for await (const page of pages(from)) {
    const there = await found(
      page.map(({ $id }) => $id),
      to,
    );
    for (const row of page) {
      const other = there.get(row.$id);
      if (!other) yield `${what} ${row.$id} is missing at the receiving end.`;
      else if (!same(row, other)) yield `${what} ${row.$id} differs at the receiving end.`;
    }
  }
}

/** One sentence for each thing of `from` that `to` lacks or has otherwise. What only `to` has is its own. */
export async function verify(from: Side, to: Side): Promise<string[]> {
  return [
    ...(await Array.fromAsync(compare('User', listUsers(from), listUsers(to), sameUser))),
    ...(await Array.fromAsync(compare('Post', listPosts(from), listPosts(to), samePost))),
    ...(await Array.fromAsync(
      compare('File', listFiles(from), listFiles(to), (a, b) => !isWhole(a) || sameFile(a, b)),
    )),
  ];
}
