/** Checks that a copy of a site is complete and works. */
import { createHash } from 'node:crypto';
import { Account, ID, Query, type Users } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import { postOf } from '../document.ts';
import { documentsOf, filesOf, keyedBackend } from '../keyed-backend.ts';
import { guestClient, type ServerTarget } from '../target.ts';
import { items } from '../walk.ts';

export interface Everything {
  readonly users: number;
  readonly files: number;
  readonly bytes: number;
  readonly posts: number;
  readonly published: readonly string[];
  /** One sentence for each file whose bytes differ from the hash and size that the backend recorded. */
  readonly faults: readonly string[];
}

/**
 * Reads every post and file with the server key, and signs in with a temporary account to show that sign-in works.
 * @throws the SDK's error if something cannot be read
 */
export async function readEverything(target: ServerTarget): Promise<Everything> {
  const backend = keyedBackend(target);
  const { storage, users, bucketId } = backend;
  const faults: string[] = [];
  const published: string[] = [];
  let posts = 0;
  for await (const document of items(documentsOf(backend, backend.articles, ['*']))) {
    const post = postOf(document);
    posts += 1;
    if (post.status === 'active' && !isForgery(post)) published.push(post.id);
  }
  let [files, bytes] = [0, 0];
  for await (const file of items(filesOf(backend))) {
    const body = Buffer.from(await storage.getFileView({ bucketId, fileId: file.$id }));
    const isSame = createHash('md5').update(body).digest('hex') === file.signature;
    if (!isSame || body.length !== file.sizeOriginal)
      faults.push(`File ${file.$id} comes with other bytes than were stored.`);
    files += 1;
    bytes += body.length;
  }
  const { total } = await users.list({ queries: [Query.limit(1)] });
  await signIn(target, users);
  return { users: total, files, bytes, posts, published, faults };
}

async function signIn(target: ServerTarget, users: Users): Promise<void> {
  const userId = ID.unique();
  const [email, password] = [`${userId}@example.com`, `Check-${userId}`];
  await users.create({ userId, email, password });
  await new Account(guestClient(target)).createEmailPasswordSession({ email, password });
  await users.delete({ userId });
}
