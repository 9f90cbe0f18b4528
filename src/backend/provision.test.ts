import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { OPTIONAL_FIELD_NAMES } from '#blog/post.ts';
import { ARTICLES, contentOf } from '../../tests/support/content.ts';
import { close, listen } from '../../tests/support/gateway.ts';
import { sharedSite } from '../../tests/support/shared-site.ts';
import { letWrite } from './people/who-writes.ts';
import { provision } from './provision.ts';
import { COLLECTIONS, writersIn } from './schema.ts';
import { createPublicReader } from './server.ts';
import { createAdmin } from './server-key/admin.ts';

const site = await sharedSite({ provisioned: false });
const { databases, storage } = contentOf(site);
const media = { bucketId: 'media' };

it('in a check, names all that is missing and makes none of it', async () => {
  const first = await provision(site.target, { check: true });
  expect(first).toHaveLength(97);
  expect(await provision(site.target, { check: true })).toEqual(first);
});

it('makes everything once, ready to be written to, and finds nothing to do afterwards', async () => {
  const changes = await provision(site.target);
  expect(changes).toContain('attribute title: created');
  expect(changes).toContain('index newest: created on status, $createdAt');
  expect(await provision(site.target)).toEqual([]);
  expect(await provision(site.target, { check: true })).toEqual([]);
  const { attributes } = await databases.getCollection(ARTICLES);
  const found = attributes as unknown as { key: string; status: string }[];
  expect(found.map(({ key, status }) => [key, status])).toEqual(
    COLLECTIONS.articles.attributes.map(({ key }) => [key, 'available']),
  );
});

it('brings a site of before forward: the optional fields are added, and its posts stay as they are', async () => {
  const old = { ...site.target, collectionId: 'older', revisionsId: 'older-revisions' };
  const place = { databaseId: 'blog', collectionId: 'older' };
  const permissions = ['create("users")'];
  await databases.createCollection({ ...place, name: 'Articles', permissions, documentSecurity: true });
  for (const key of ['title', 'content', 'featuredImage', 'userId'])
    await databases.createStringAttribute({ ...place, key, size: 255, required: false });
  await databases.createEnumAttribute({ ...place, key: 'status', elements: ['active', 'inactive'], required: true });
  const reader = createPublicReader({ ...old, apiKey: undefined });
  const write = createAdmin({ ...old });
  const words = { title: 'Ink', content: '<p>x</p>', featuredImage: '' };
  const post = { id: 'ink', ...words, status: 'active', userId: 'ann' } as const;
  await write.createPost(post);
  await expect(write.updatePost({ ...post, tags: ['Ink'] })).rejects.toThrow('Unknown attribute: "tags"');
  const stored = await databases.getDocument({ ...place, documentId: 'ink' });
  expect((await reader.everyPost()).map(({ id }) => id)).toEqual(['ink']);
  expect((await reader.summaries(1, 24)).posts.map(({ title }) => title)).toEqual(['Ink']);

  const changes = await provision(old);
  for (const key of OPTIONAL_FIELD_NAMES) expect(changes).toContain(`attribute ${key}: created`);
  const { $updatedAt, $id, title } = await databases.getDocument<typeof stored>({ ...place, documentId: 'ink' });
  expect({ $updatedAt, $id, title }).toEqual({ $updatedAt: stored.$updatedAt, $id: 'ink', title: 'Ink' });
  expect(await write.post('ink')).toMatchObject(post);
  const more = { tags: ['Ink', '墨'], publishAt: '2026-12-01T08:00:00.000Z', excerpt: 'Short', language: 'de' };
  await write.updatePost({ ...post, ...more });
  const full = await write.post('ink');
  expect(full).toMatchObject(more);
  expect((await reader.everyPost())[0]).toMatchObject(more);
  await write.updatePost(post, full);
  for (const name of Object.keys(more)) expect(await write.post('ink')).not.toHaveProperty(name);
});

it('corrects rights and limits that somebody changed, and says so', async () => {
  const settings = { fileSecurity: true, allowedFileExtensions: ['png', 'jpg', 'jpeg', 'gif'] };
  const permissions = ['create("users")', 'read("any")'];
  const open = { name: 'Mine', permissions: ['read("any")'], documentSecurity: false };
  await databases.updateCollection({ ...ARTICLES, ...open });
  await storage.updateBucket({ ...media, name: 'Media', maximumFileSize: 5, permissions, ...settings });
  const expected = [
    'collection articles: permissions, document security corrected',
    'bucket media: permissions, size limit corrected',
  ];
  expect(await provision(site.target, { check: true })).toEqual(expected);
  expect(await provision(site.target)).toEqual(expected);
  expect(await provision(site.target)).toEqual([]);
  expect((await databases.getCollection(ARTICLES)).name).toBe('Mine');
});

it('leaves who may write as it was chosen, and holds to what it is told', async () => {
  const writers = async () => writersIn((await databases.getCollection(ARTICLES)).$permissions);
  expect(await writers()).toBe('everyone');
  await letWrite(site.target, 'members');
  expect(await provision(site.target)).toEqual([]);
  expect(await writers()).toBe('members');
  const all = ['collection articles', 'collection revisions', 'collection synced-files', 'bucket media'];
  const corrected = all.map((thing) => `${thing}: permissions corrected`);
  expect(await provision(site.target, { writers: 'everyone' })).toEqual(corrected);
  expect(await writers()).toBe('everyone');
});

it('changes nothing of a collection of another shape, and says all that stands in the way', async () => {
  const place = { databaseId: 'blog', collectionId: 'tutorial' };
  await databases.createCollection({ ...place, name: 'Posts', permissions: ['read("any")'] });
  const text = { ...place, size: 100, required: false };
  await databases.createStringAttribute({ ...text, key: 'title' });
  await databases.createBooleanAttribute({ ...place, key: 'status', required: false });
  await databases.createStringAttribute({ ...text, key: 'content', array: true });
  await databases.createBooleanAttribute({ ...place, key: 'pinned', required: true });
  const before = await databases.getCollection(place);
  const refused = provision({ ...site.target, collectionId: 'tutorial' });
  const faults = [
    'Attribute status of tutorial is boolean, and should be enum.',
    'Attribute content of tutorial is a list of string, and should be string.',
    'Attribute pinned of tutorial is boolean, required and unknown here',
  ];
  for (const fault of [/^Nothing was changed, because this stands in the way:\n/, ...faults])
    await expect(refused).rejects.toThrow(fault);
  expect(await databases.getCollection(place)).toEqual(before);
});

it('says of an endpoint that answers with a web page that it is none', async () => {
  const server = createServer((_, response) => response.writeHead(404).end('<!doctype html><title>No</title>'));
  const refused = provision({ ...site.target, endpoint: `${await listen(server)}/v2` });
  await expect(refused).rejects.toThrow(/The answer is a web page .+ ends in \/v1\.$/);
  await close(server);
});

it('says what to do about a wrong key', async () => {
  const refused = provision({ ...site.target, apiKey: 'standard_wrong' });
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(/^Could not do this: read collection articles\. The backend says: /);
});
