/** Blogs that people built by following one tutorial: what their code stores, where, and who may read it. */
import { Client, Databases, type Models, Storage, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import type { ServerTarget } from '#backend/target.ts';
import { serverClient } from '#backend/target.ts';

const users = ['create("users")', 'update("users")', 'delete("users")'];

interface Post {
  readonly id: string;
  /** The user who created the post; if absent, the project's owner did so in the console. */
  readonly by?: 'ann' | 'bob' | 'gone';
  readonly data: Readonly<Record<string, unknown>>;
  /** The slug of the post's page after a move; undefined if guests may not read the post. */
  readonly slug?: string;
}

export interface TutorialBlog {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly documentSecurity?: true;
  /** Maximum lengths of the required string attributes by name; `optional` lists the optional ones. */
  readonly required: Readonly<Record<string, number>>;
  readonly optional?: Readonly<Record<string, number>>;
  readonly statuses?: readonly string[];
  readonly posts: readonly Post[];
  /** The value of `--map`: FIELD=ATTRIBUTE pairs for fields that are stored under other names. */
  readonly map?: string;
  readonly makePublic?: true;
  /** Patterns that the report must match, both when the blog is moved and when it stays in its project. */
  readonly notes: readonly RegExp[];
}

const stored = (fileId: string, kind: string) =>
  `https://fra.cloud.example.io/v1/storage/buckets/images/files/${fileId}/${kind}?width=300&amp;project=common-ink`;

export const TUTORIAL_BLOGS: readonly TutorialBlog[] = [
  {
    name: 'the tutorial as it is, with a plain status',
    permissions: ['read("any")', ...users],
    required: { title: 255, content: 10_000, featuredImage: 255, status: 20, userId: 255 },
    posts: [
      {
        id: 'my-first-post',
        by: 'ann',
        slug: 'my-first-post',
        data: { title: 'My first post', content: '<p>Hi</p>', featuredImage: 'p-ann', status: 'active', userId: 'ann' },
      },
      {
        id: 'not-yet',
        by: 'bob',
        data: { title: 'Not yet', content: '<p>x</p>', featuredImage: 'p-bob', status: 'inactive', userId: 'bob' },
      },
      {
        id: 'shared-picture',
        by: 'bob',
        slug: 'shared-picture',
        data: { title: 'Shared', content: '<p>x</p>', featuredImage: 'p-lost', status: 'active', userId: 'bob' },
      },
    ],
    notes: [/its featured picture is not in the bucket: p-lost \(shared-picture\)/],
  },
  {
    name: 'names in lower case, drafts, and everyone may do everything',
    permissions: ['read("any")', 'create("any")', 'update("any")', 'delete("any")'],
    required: { title: 200, content: 5000, status: 50, userid: 50 },
    optional: { featuredimage: 100 },
    posts: [
      {
        id: 'Hello_World',
        by: 'ann',
        slug: 'hello-world',
        data: { title: 'Hello', content: '<p>Hi</p>', featuredimage: 'p-ann', status: 'Active', userid: 'ann' },
      },
      {
        id: 'hello-draft',
        by: 'bob',
        data: { title: 'Draft', content: '', featuredimage: 'p-bob', status: 'draft', userid: 'bob' },
      },
      {
        id: 'out',
        by: 'bob',
        slug: 'out',
        data: { title: 'Out', content: '<p>x</p>', featuredimage: null, status: 'published', userid: 'ann' },
      },
      { id: 'empty', data: { title: 'Empty', content: '<p>x</p>', status: '', userid: '' } },
    ],
    notes: [
      /status Active became active \(Hello_World\)/,
      /status draft became inactive \(hello-draft\)/,
      /status published became active \(out\)/,
      /status \(empty\) became inactive \(empty\)/,
      /its author is ann and became bob, who may change it \(out\)/,
      /its author is \(empty\) and became unknown-author \(empty\)/,
      /its author unknown-author has no account/,
    ],
  },
  {
    name: 'slugs beside generated ids, for signed-in readers',
    permissions: ['read("users")', ...users],
    required: { title: 255, slug: 255, content: 65_535, featuredImage: 255, userId: 36, userName: 128, userEmail: 255 },
    optional: { userProfilePicture: 255 },
    statuses: ['active', 'inactive'],
    makePublic: true,
    posts: [
      {
        id: '68ab12cd0011223344ff',
        by: 'ann',
        slug: 'how-i-built-a-very-long-title-for-this-blog'.slice(0, 27).replace(/-\w*$/, ''),
        data: {
          ...{ title: 'Long', slug: 'how-i-built-a-very-long-title-for-this-blog', content: '<p>Hi</p>' },
          ...{ featuredImage: 'p-ann', status: 'active', userId: 'ann', userName: 'Ann', userEmail: 'a@example.com' },
        },
      },
      {
        id: '68ab12cd0011223344aa',
        by: 'bob',
        data: {
          ...{ title: 'Hidden', slug: 'hidden', content: '<p>x</p>', featuredImage: 'p-bob', status: 'inactive' },
          ...{ userId: 'bob', userName: 'Bob', userEmail: 'b@example.com', userProfilePicture: 'p-unused' },
        },
      },
    ],
    notes: [/attributes that posts here do not have \(userName, userEmail, userProfilePicture\)/],
  },
  {
    name: 'an image and likes, rights to documents, pictures in texts, and a deleted author',
    permissions: ['read("any")', 'create("users")'],
    documentSecurity: true,
    required: { title: 255, content: 60_000, image: 2000, status: 16, userid: 64, like: 10_000 },
    map: 'featuredImage=image',
    posts: [
      {
        id: 'with-pictures',
        by: 'ann',
        slug: 'with-pictures',
        data: {
          ...{ title: 'Pictures', image: stored('p-ann', 'download').replace('&amp;', '&'), status: 'active' },
          content: `<p><img src="${stored('p-text', 'preview')}" alt=""> ${stored('p-text', 'view')}</p><img src="data:image/png;base64,xx">`,
          ...{ userid: 'ann', like: '[]' },
        },
      },
      {
        id: 'of-a-former-author',
        by: 'gone',
        slug: 'of-a-former-author',
        data: {
          title: 'Gone',
          content: '<p>x</p>',
          image: 'p-gone',
          status: 'active',
          userid: 'gone',
          like: '["ann"]',
        },
      },
      {
        id: 'kept-back',
        by: 'bob',
        data: { title: 'Back', content: '<p>x</p>', image: 'p-bob', status: 'inactive', userid: 'bob', like: '[]' },
      },
    ],
    notes: [
      /attributes that posts here do not have \(like\)/,
      /its author gone has no account and gets one without a password \(of-a-former-author\)/,
      /pictures that are part of its text \(data:\) are not shown \(with-pictures\)/,
    ],
  },
];

export const PASSWORD = 'Secret1!';
const PEOPLE = ['ann', 'bob', 'gone'] as const;
/** Files by id, with the user who uploads each; no post shows `p-unused`. */
const PICTURES = { 'p-ann': 'ann', 'p-bob': 'bob', 'p-gone': 'gone', 'p-text': 'ann', 'p-unused': 'bob' } as const;
export const pictureBytes = (fileId: string) => Buffer.from(`GIF89a of ${fileId}`);

export async function clientOf(place: ServerTarget, userId: string): Promise<Client> {
  const { secret } = await new Users(serverClient(place)).createSession({ userId });
  return new Client().setEndpoint(place.endpoint).setProject(place.projectId).setSession(secret);
}

/** Creates the database, collection, bucket and accounts, then stores data as the tutorial's React front end does. */
export async function fillTutorialBlog(place: ServerTarget, blog: TutorialBlog): Promise<void> {
  const key = serverClient(place);
  const [databases, storage, accounts] = [new Databases(key), new Storage(key), new Users(key)];
  const { databaseId, collectionId, bucketId } = place;
  await databases.create({ databaseId, name: 'blog' });
  const permissions = [...blog.permissions];
  const documentSecurity = blog.documentSecurity === true;
  await databases.createCollection({ databaseId, collectionId, name: 'articles', permissions, documentSecurity });
  for (const [sizes, required] of [
    [blog.required, true],
    [blog.optional ?? {}, false],
  ] as const)
    for (const [name, size] of Object.entries(sizes))
      await databases.createStringAttribute({ databaseId, collectionId, key: name, size, required });
  const ofStatus = { databaseId, collectionId, key: 'status', required: true };
  if (blog.statuses) await databases.createEnumAttribute({ ...ofStatus, elements: [...blog.statuses] });
  await databases.createIndex({ ...ofStatus, key: 'status', type: 'key' as never, attributes: ['status'] });
  await storage.createBucket({ bucketId, name: 'images', permissions: ['read("any")', ...users] });
  const clients = new Map<string, Client>();
  for (const userId of PEOPLE) {
    await accounts.create({ userId, email: `${userId}@example.com`, password: PASSWORD, name: userId.toUpperCase() });
    clients.set(userId, await clientOf(place, userId));
  }
  for (const [fileId, userId] of Object.entries(PICTURES))
    await new Storage(clients.get(userId) ?? key).createFile({
      ...{ bucketId, fileId, file: InputFile.fromBuffer(pictureBytes(fileId), `${fileId}.gif`) },
    });
  for (const { id: documentId, by, data } of blog.posts)
    await new Databases(clients.get(by ?? '') ?? key).createDocument({
      ...{ databaseId, collectionId, documentId, data: data as Omit<Models.Document, keyof Models.Document> },
    });
  await accounts.delete({ userId: 'gone' });
}
