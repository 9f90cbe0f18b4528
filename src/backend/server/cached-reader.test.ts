/** Compares a caching reader with one that always asks the backend, across every kind of write. */
import { beforeEach, expect, it } from 'vitest';
import { ARTICLES, contentOf } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { type ArticleDocument, createPublicReader, type PublicReader } from '../server.ts';
import { createAdmin, type WrittenPost } from '../server-key/admin.ts';
import { createCachedReader } from './cached-reader.ts';

const site = await sharedSite();
const admin = createAdmin(site.target);
const { databases } = contentOf(site);
const asking = createPublicReader(site.target);
const author = (await admin.createAuthor({ email: 'a@example.com', name: 'A' })).user.id;
let reader: PublicReader;
let questions = 0;
/** Events held back by a test; undefined while events are delivered immediately. */
let held: (() => void)[] | undefined;

const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

site.listen(({ events, payload, changed }) => {
  const event = /^databases\.blog\.collections\.articles\.documents\.[^.*]+\.(\w+)$/m;
  const [, action] = event.exec(events.join('\n')) ?? [];
  const tell = () => reader.postChanged(payload as unknown as ArticleDocument, action === 'delete', changed);
  if (!action) return;
  if (held) held.push(tell);
  else tell();
});

beforeEach(() => {
  questions = 0;
  const counted =
    <A extends unknown[], R>(method: (...args: A) => R) =>
    (...args: A) => {
      questions++;
      return method(...args);
    };
  reader = createCachedReader({
    ...asking,
    post: counted(asking.post),
    newest: counted(asking.newest),
    summaries: counted(asking.summaries),
    everyPost: counted(asking.everyPost),
  });
});

const written = (id: string, change: Partial<WrittenPost> = {}): WrittenPost => ({
  ...{ id, title: id, content: `<p>${id}</p>`, featuredImage: '', status: 'active', userId: author },
  ...change,
});
const remove = (documentId: string) => databases.deleteDocument({ ...ARTICLES, documentId });
const day = (n: number) => `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T00:00:00.000+00:00`;

async function answersOf(from: PublicReader) {
  const posts = await Promise.all(SLUGS.map((slug) => from.post(slug)));
  const beside = await Promise.all(posts.map((post) => post && from.adjacentPosts(post.id)));
  return {
    posts,
    beside,
    newest: await from.newest(),
    lists: [await from.summaries(1, 3), await from.summaries(2, 3)],
    every: await from.everyPost(),
    withPages: await from.everyPost({ withPages: true }),
    among: [
      await from.everyPost({ userId: author }),
      await from.everyPost({ from: day(7), until: day(14) }),
      await from.everyPost({ tag: 'ink' }),
      await from.everyPost({ tag: 'none' }),
    ],
  };
}

async function sameAnswers(): Promise<void> {
  const answers = await answersOf(asking);
  const { every } = answers;
  // Computes the totals, because the uncached reader's totals also count posts with a forged `userId`.
  const size = { total: every.length, pages: Math.ceil(every.length / 3), exact: true };
  const lists = [0, 3].map((at) => ({ posts: every.slice(at, at + 3), ...size }));
  const truth = { ...answers, lists, newest: every[0] && (await asking.post(every[0].id)) };
  await reader.everyPost();
  // The second read comes from the cache.
  expect(await answersOf(reader)).toEqual(truth);
  expect(await answersOf(reader)).toEqual(truth);
}

it('says what one that asks each time says, whatever is written', async () => {
  const there = new Set<string>();
  // A seeded generator makes failures repeatable.
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let step = 0; step < 80; step++) {
    const id = SLUGS[random(SLUGS.length)] as string;
    const status = random(4) === 0 ? 'inactive' : 'active';
    const kind = random(6);
    const tags = [['Ink'], ['Paper', 'ink'], ['Paper'], []][random(4)] as string[];
    if (!there.has(id)) {
      await admin.createPost(written(id, { status, tags, title: `${id} ${step}`, createdAt: day(random(28)) }));
      there.add(id);
    } else if (kind === 0) {
      await remove(id);
      there.delete(id);
    } else if (kind === 1) {
      // Hides the post from guests, or makes its `userId` count as forged by letting only `other` change the post.
      const permissions = random(2) ? [`update("user:${author}")`] : ['read("any")', 'update("user:other")'];
      await databases.updateDocument({ ...ARTICLES, documentId: id, permissions });
    } else if (kind === 2) {
      await databases.updateDocument({ ...ARTICLES, documentId: id, data: { kind: random(2) ? 'page' : null } });
    } else {
      const createdAt = random(5) === 0 ? day(random(28)) : undefined;
      const content = `<p>${step}</p>`;
      await admin.updatePost(written(id, { status, tags, title: `${id} ${step}`, content, createdAt }));
    }
    await sameAnswers();
  }
  for (const id of there) await remove(id);
  await sameAnswers();
});

it('asks nothing when a post that it knows is edited, and again when one comes or goes', async () => {
  for (const [n, id] of ['a', 'b', 'c'].entries()) await admin.createPost(written(id, { createdAt: day(n) }));
  await answersOf(reader);
  questions = 0;
  await admin.updatePost(written('c', { title: 'edited' }));
  const { posts, beside, newest, lists } = await answersOf(reader);
  expect(posts.filter(Boolean).map((post) => post?.title)).toEqual(['a', 'b', 'edited']);
  expect([newest?.title, lists[0]?.posts[0]?.title, beside[1]?.next?.title]).toEqual(['edited', 'edited', 'edited']);
  // Slugs without a post aren't cached.
  expect(questions).toBe(SLUGS.length - 3);
  questions = 0;
  await admin.updatePost(written('c', { status: 'inactive' }));
  expect((await reader.newest())?.title).toBe('b');
  expect(questions).toBe(0);
});

it('says what is true after a post was read between its publication and the news of it', async () => {
  await admin.createPost(written('d', { status: 'inactive', createdAt: day(3) }));
  await sameAnswers();
  held = [];
  await admin.updatePost(written('d'));
  expect((await reader.post('d'))?.title).toBe('d');
  for (const tell of held) tell();
  expect(held.length).toBe(1);
  held = undefined;
  await sameAnswers();
});

it('keeps what it remembers while what nobody may read is written', async () => {
  await admin.createPost(written('g', { status: 'inactive' }));
  const { posts } = await answersOf(reader);
  questions = 0;
  await admin.updatePost(written('g', { status: 'inactive', title: 'a draft' }));
  await answersOf(reader);
  // Slugs without a post aren't cached.
  expect(questions).toBe(posts.filter((post) => post === undefined).length);
  await sameAnswers();
});

it('asks once for the list of all posts, of whatever tag, author or time', async () => {
  await reader.everyPost({ tag: 'ink' });
  for (let i = 0; i < 3; i++) await Promise.all([reader.everyPost(), reader.everyPost()]);
  await reader.everyPost({ userId: author });
  expect(questions).toBe(1);
  await admin.createPost(written('e', { createdAt: day(20) }));
  expect((await reader.everyPost()).map(({ id }) => id)).toContain('e');
  expect(questions).toBe(1);
  // The backend decides the order of posts with the same creation time, so the list must be read again.
  await admin.createPost(written('f', { createdAt: day(20) }));
  expect(await reader.everyPost()).toEqual(await asking.everyPost());
  expect(questions).toBe(2);
});

it('does not remember an answer during which something changed', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const slow = createCachedReader({
    ...asking,
    post: async (slug) => {
      const post = await asking.post(slug);
      await gate;
      return post;
    },
  });
  const before = await asking.post('a');
  const reading = slow.post('a');
  slow.postChanged({ $id: 'b', $createdAt: '', $updatedAt: '', $permissions: [] }, true);
  await admin.updatePost(written('a', { title: 'later' }));
  open();
  expect(await reading).toEqual(before);
  expect((await slow.post('a'))?.title).toBe('later');
});

it('whoever asks for all posts after a change does not get the answer of one who asked before', async () => {
  const [answered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = createCachedReader({
    ...asking,
    everyPost: async () => {
      const posts = await asking.everyPost();
      answered.resolve();
      await gate.promise;
      return posts;
    },
  });
  const before = slow.everyPost();
  await answered.promise;
  await admin.updatePost(written('a', { title: 'later still' }));
  slow.postChanged((await databases.getDocument({ ...ARTICLES, documentId: 'a' })) as ArticleDocument, false);
  const after = slow.everyPost();
  gate.resolve();
  expect((await before).length).toBe((await after).length);
  expect((await after).find(({ id }) => id === 'a')?.title).toBe('later still');
  expect((await slow.everyPost()).find(({ id }) => id === 'a')?.title).toBe('later still');
});

it('does not begin to read all posts again while posts are written', async () => {
  let walks = 0;
  const counting = createCachedReader({
    ...asking,
    everyPost: (among) => {
      walks++;
      return asking.everyPost(among);
    },
  });
  const written = (await databases.getDocument({ ...ARTICLES, documentId: 'a' })) as ArticleDocument;
  for (let i = 0; i < 5; i++) {
    await Promise.all([counting.newest(), counting.summaries(1, 3), counting.adjacentPosts('a')]);
    counting.postChanged({ ...written, $id: `new-${i}` }, false);
  }
  expect(walks).toBe(1);
});

it('forgets everything when a rebuild says so', async () => {
  await answersOf(reader);
  questions = 0;
  reader.forget({ names: false });
  await reader.newest();
  expect(questions).toBe(0);
  reader.forget();
  await reader.newest();
  expect(questions).toBeGreaterThan(0);
});
