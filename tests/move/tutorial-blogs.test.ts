import { createServer } from 'node:http';
import { Databases, Storage } from 'node-appwrite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseFieldMap } from '#backend/foreign-blog/fields.ts';
import { move } from '#backend/move/move.ts';
import { provision } from '#backend/provision.ts';
import { createPublicReader } from '#backend/server.ts';
import { guestClient, type ServerTarget } from '#backend/target.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { listen } from '../support/gateway.ts';
import { siteOfTest } from '../support/shared-site.ts';
import { contents, counts, databasesOf, signInStatus, storageOf, usersOf } from './blog.ts';
import {
  clientOf,
  fillTutorialBlog,
  PASSWORD,
  pictureBytes,
  TUTORIAL_BLOGS,
  type TutorialBlog,
} from './tutorial-blogs.ts';

const IDS = { databaseId: '65f2ab', collectionId: 'posts', revisionsId: 'revisions', bucketId: 'images' };

async function theirs(blog: TutorialBlog): Promise<ServerTarget> {
  const { target } = await siteOfTest({ provisioned: false, apiKey: 'standard_key-of-theirs' });
  const place = { ...target, ...IDS };
  await fillTutorialBlog(place, blog);
  return place;
}

const optionsOf = ({ map, makePublic }: TutorialBlog) => ({
  fields: parseFieldMap(map),
  makePublic: makePublic === true,
});

/** Everything in the project that provisioning and moving could change. */
async function everythingIn(place: ServerTarget): Promise<unknown> {
  const { databaseId, collectionId, bucketId } = place;
  const { documents } = await databasesOf(place).listDocuments({ databaseId, collectionId });
  const collection = await databasesOf(place).getCollection({ databaseId, collectionId });
  const bucket = await storageOf(place).getBucket({ bucketId });
  const { files } = await storageOf(place).listFiles({ bucketId });
  return { documents, collection, bucket, files, users: (await usersOf(place).list()).users };
}

/** Returns the ids of the pictures that the user (default: a guest) can open; expects their bytes to be unchanged. */
async function picturesFor(place: ServerTarget, userId?: string): Promise<string[]> {
  const { files } = await storageOf(place).listFiles({ bucketId: place.bucketId });
  const storage = new Storage(userId ? await clientOf(place, userId) : guestClient(place));
  const seen: string[] = [];
  for (const { $id: fileId } of files) {
    const bytes = await storage.getFileView({ bucketId: place.bucketId, fileId }).catch(() => undefined);
    if (bytes) expect(Buffer.from(bytes)).toEqual(pictureBytes(fileId));
    if (bytes) seen.push(fileId);
  }
  return seen.sort();
}

async function postsFor(place: ServerTarget, userId?: string): Promise<string[]> {
  const { databaseId, collectionId } = place;
  const client = userId ? await clientOf(place, userId) : guestClient(place);
  const { documents } = await new Databases(client).listDocuments({ databaseId, collectionId });
  return documents.map(({ $id }) => $id).sort();
}

/** Forwards requests to `place`, but refuses a write if `before` returns false or throws (collected in `faults`). */
async function watched(place: ServerTarget, before: () => Promise<boolean>) {
  const faults: unknown[] = [];
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const body = await new Response(request as never).arrayBuffer();
    const isAllowed = method === 'GET' || (await before().catch((fault: unknown) => void faults.push(fault)));
    if (!isAllowed) return void response.writeHead(503).end('{}');
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
    const answer = await fetch(new URL(url, place.endpoint), {
      ...{ method, headers: kept as Record<string, string>, ...(method !== 'GET' && { body }) },
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  onTestFinished(() => void server.close());
  return { ...place, endpoint: `${await listen(server)}/v1`, faults };
}

const publicOf = ({ posts }: TutorialBlog) => posts.filter(({ slug }) => slug !== undefined);

describe.each(TUTORIAL_BLOGS)('$name', (blog) => {
  it('stays in its project, and its public posts stay public at every moment', async () => {
    const place = await theirs(blog);
    const before = await counts(place);
    const untouched = await everythingIn(place);
    const ids = publicOf(blog)
      .map(({ id }) => id)
      .sort();
    const pictures = (await picturesFor(place)).filter((id) => id !== 'p-bob');
    if (blog.makePublic) {
      await expect(provision(place, { ...optionsOf(blog), makePublic: false })).rejects.toThrow('Guests cannot read');
      expect(await everythingIn(place)).toEqual(untouched);
    }
    const planned = await provision(place, { ...optionsOf(blog), check: true });
    expect(await everythingIn(place)).toEqual(untouched);

    let allowed = 0;
    const stopping = await watched(place, async () => {
      if (!blog.makePublic) expect(await postsFor(place)).toEqual(expect.arrayContaining(ids));
      expect(await picturesFor(place)).toEqual(expect.arrayContaining(pictures));
      return allowed-- > 0;
    });
    let interrupted = -1;
    for (let isDone = false; !isDone && interrupted < 60; interrupted += 1) {
      allowed = 6;
      isDone = await provision(stopping, optionsOf(blog)).then(
        () => true,
        () => false,
      );
    }
    expect(stopping.faults).toEqual([]);
    expect(interrupted).toBeGreaterThan(5);
    expect(planned.join('\n')).toMatch(/^posts: \d+ need their own permissions$/m);
    for (const expected of blog.notes) expect(planned.join('\n')).toMatch(expected);

    expect(await provision(place)).toEqual([]);
    expect(await counts(place)).toEqual({ ...before, users: expect.any(Number) });
    expect(await postsFor(place)).toEqual(ids);
    expect(await picturesFor(place)).toEqual(pictures);
    const hidden = blog.posts.filter(({ slug, by }) => !slug && by).map(({ id }) => id);
    expect(await postsFor(place, 'bob')).toEqual([...ids, ...hidden].sort());
    expect(await postsFor(place, 'ann')).toEqual(ids);
    expect(await picturesFor(place, 'bob')).toContain('p-bob');
    expect(await picturesFor(place, 'ann')).not.toContain('p-bob');
    const reader = createPublicReader(place);
    const shown = await reader.everyPost();
    expect(shown.map(({ id }) => id).sort()).toEqual(ids);
    for (const { id } of shown.filter(({ id }) => isSlug(id))) {
      const { title, content } = blog.posts.find((post) => post.id === id)?.data ?? {};
      expect(await reader.post(id)).toMatchObject({ title, content });
    }
    const featured = Object.fromEntries(shown.map(({ id, featuredImage }) => [id, featuredImage]));
    for (const { id, data } of publicOf(blog))
      if (`${data.featuredImage ?? data.featuredimage ?? data.image}`.includes('p-ann'))
        expect(featured[id]).toBe('p-ann');
    const mine = { title: 'New', content: '<p>x</p>', featuredImage: '', status: 'active', userId: 'bob' };
    const made = { databaseId: place.databaseId, collectionId: place.collectionId, documentId: 'new', data: mine };
    await new Databases(await clientOf(place, 'bob')).createDocument({ ...made, permissions: ['read("any")'] });
    expect(await postsFor(place)).toEqual([...ids, 'new'].sort());
    // Running the same command again does not undo a later change to a post.
    const [changed = ''] = ids;
    const where = { databaseId: place.databaseId, collectionId: place.collectionId, documentId: changed };
    const permissions = ['read("user:ann")', 'update("user:ann")', 'delete("user:ann")'];
    await databasesOf(place).updateDocument({ ...where, data: { status: 'inactive', title: 'Later' }, permissions });
    await provision(place, optionsOf(blog));
    const { title, status } = await databasesOf(place).getDocument(where);
    expect({ title, status }).toEqual({ title: 'Later', status: 'inactive' });
    expect(await postsFor(place)).not.toContain(changed);
  });

  it('is moved into a fresh site', async () => {
    const from = await theirs(blog);
    const untouched = await everythingIn(from);
    const { target: to } = await siteOfTest();
    const options = { dryRun: false, host: 'example.com', ...optionsOf(blog) };
    if (blog.makePublic)
      await expect(move(from, to, { ...options, makePublic: false })).rejects.toThrow('add --public');
    const dry = await move(from, to, { ...options, dryRun: true });
    expect(dry.report.posts.created).toBe(blog.posts.length);
    expect(await counts(to)).toEqual({ users: 0, posts: 0, revisions: 0, files: 0 });

    for (const most of [1, 2, 3]) {
      let writes = 0;
      const stopped = await watched(to, async () => ++writes <= most);
      const result = await move(from, stopped, options).catch(() => undefined);
      expect(result?.differences).not.toEqual([]);
    }
    const { report, differences, notes } = await move(from, to, options);
    for (const stage of Object.values(report)) expect(stage.failed).toEqual([]);
    expect(differences).toEqual([]);
    for (const expected of blog.notes) expect(notes.join('\n')).toMatch(expected);
    expect(await everythingIn(from)).toEqual(untouched);
    const there = await counts(to);
    expect(there).toMatchObject({ posts: blog.posts.length, files: 5 });

    const slugs = await postsFor(to);
    expect(slugs).toHaveLength(publicOf(blog).length);
    for (const { slug = '' } of publicOf(blog)) expect(slugs.filter((id) => id.startsWith(slug))).toHaveLength(1);
    expect(slugs.every(isSlug)).toBe(true);
    expect(await postsFor(to, 'ann')).toEqual(slugs);
    expect(await postsFor(to, 'bob')).toHaveLength(
      slugs.length + blog.posts.filter(({ slug, by }) => !slug && by).length,
    );
    expect(await picturesFor(to)).not.toContain('p-bob');
    expect(await picturesFor(to)).toContain('p-ann');
    expect(await picturesFor(to, 'bob')).toContain('p-bob');
    expect(await signInStatus(to, 'ann@example.com', PASSWORD)).toBe(201);
    expect((await createPublicReader(to).everyPost()).map(({ id }) => id).sort()).toEqual(slugs);

    const after = await contents(to);
    const again = await move(from, to, options);
    expect(again.report.posts).toMatchObject({ created: 0, updated: 0, unchanged: blog.posts.length });
    expect(again.report.files).toMatchObject({ created: 0, updated: 0 });
    expect(await contents(to)).toEqual(after);
  });
});

it('shows moved pictures of texts at their new address, and leaves the text alone', async () => {
  const blog = TUTORIAL_BLOGS[3] as TutorialBlog;
  const from = await theirs(blog);
  const { target: to } = await siteOfTest();
  await move(from, to, { dryRun: false, host: 'example.com', ...optionsOf(blog) });
  const post = await createPublicReader(to).post('with-pictures');
  expect(post?.content).toContain(
    '<img src="/v1/storage/buckets/media/files/p-text/view?project=common-ink" alt=""> https://fra.',
  );
  expect(await picturesFor(to)).toEqual(['p-ann', 'p-gone', 'p-text']);
});

it('names the attributes that it cannot find, and takes no post without them', async () => {
  const blog = { ...(TUTORIAL_BLOGS[3] as TutorialBlog), map: '' };
  const from = await theirs(blog);
  const untouched = await everythingIn(from);
  const { target: to } = await siteOfTest();
  const needed = 'have no featuredImage. Name the attributes with --map featuredImage=ATTRIBUTE';
  await expect(provision(from, optionsOf(blog))).rejects.toThrow(needed);
  await expect(move(from, to, { dryRun: false, host: 'x', ...optionsOf(blog) })).rejects.toThrow(needed);
  const wrong = { fields: parseFieldMap('featuredImage=picture') };
  await expect(provision(from, wrong)).rejects.toThrow('Collection posts has no attribute picture.');
  expect(() => parseFieldMap('picture=image')).toThrow('--map picture=image: write FIELD=ATTRIBUTE');
  expect(await everythingIn(from)).toEqual(untouched);
  await provision(from, { fields: parseFieldMap('featuredImage=-') });
  expect(await postsFor(from)).toEqual(['of-a-former-author', 'with-pictures']);
});

it('moves all of a site of this product, even if its posts were opened to everyone', async () => {
  const [{ target: from }, { target: to }] = [await siteOfTest(), await siteOfTest()];
  const { databaseId, collectionId } = from;
  const open = { name: 'Articles', permissions: ['read("any")'], documentSecurity: false };
  await databasesOf(from).updateCollection({ databaseId, collectionId, ...open });
  const version = { postId: 'ink', versionOf: '2020', title: 'Ink', status: 'active', size: 3 };
  const place = { databaseId, collectionId: from.revisionsId, documentId: 'first' };
  await databasesOf(from).createDocument({ ...place, data: version });
  const { report } = await move(from, to, { dryRun: false, host: 'example.com' });
  expect(report.revisions.created).toBe(1);
});
