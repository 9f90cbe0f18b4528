/** One end of a move: an Appwrite, embedded or real, reached with a server key. */
import { Client, Databases, Query, Storage, Teams, Users } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { ProvisionTarget } from '../provision.ts';

export interface Side {
  readonly target: ProvisionTarget;
  readonly users: Users;
  readonly teams: Teams;
  readonly databases: Databases;
  readonly storage: Storage;
}

export function openSide(target: ProvisionTarget): Side {
  const client = new Client().setEndpoint(target.endpoint).setProject(target.projectId).setKey(target.apiKey);
  return {
    target,
    users: new Users(client),
    teams: new Teams(client),
    databases: new Databases(client),
    storage: new Storage(client),
  };
}

/** Rows asked for at once. */
export const PAGE = 100;

/** Walks a whole list, oldest first, a page at a time; a cursor keeps each step as cheap as the first. */
export async function* pages<T extends { $id: string }>(
  list: (queries: string[]) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await list([Query.limit(PAGE), ...(cursor ? [Query.cursorAfter(cursor)] : [])]);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    cursor = page.at(-1)?.$id;
  }
}

/** There is nothing yet where a move would go, which a dry run does not change. */
export const NOT_MADE = /^(?:database|collection|storage_bucket)_not_found$/;

/** Those of `ids` that exist, by id. At most `PAGE` ids. */
export async function findByIds<T extends { $id: string }>(
  ids: readonly string[],
  list: (queries: string[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<string, T>> {
  const rows = await list([Query.equal('$id', [...ids]), Query.limit(PAGE)]).catch((error: unknown) => {
    if (NOT_MADE.test(faultOf(error).type)) return [];
    throw error;
  });
  return new Map(rows.map((row) => [row.$id, row]));
}
