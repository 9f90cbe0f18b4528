/** `npm run seed [-- --password PASSWORD]`: creates six sample posts with pictures, and their author, if missing. */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { provision } from '#backend/provision.ts';
import { type Admin, createAdmin } from '#backend/server-key/admin.ts';
import { postValues } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { withBackend } from '#server/backend/embedded.ts';
import { readConfiguration } from '#server/configuration.ts';
import { storedHtml } from '#transfer/html/conform.ts';
import { readDocument } from '#transfer/markdown/front-matter.ts';
import { readMarkdown } from '#transfer/markdown/markdown.ts';
import { readArguments, runCommand, TEXT } from './command.ts';

const POSTS = new URL('./seed/posts/', import.meta.url);
const PICTURES = new URL('./seed/pictures/', import.meta.url);
const AUTHOR = { name: 'Ada Finch', email: 'writer@example.com' };

async function authorId(admin: Admin, password: string | undefined): Promise<string> {
  const known = await admin.authorByEmail(AUTHOR.email);
  if (known) {
    console.log(`The sample author already exists: ${AUTHOR.email}`);
    return known.id;
  }
  const made = await admin.createAuthor({ ...AUTHOR, ...(password && { password }) });
  console.log(`Created the sample author. Sign in with ${AUTHOR.email} and the password ${made.password}`);
  return made.user.id;
}

async function seedPost(admin: Admin, file: string, userId: string): Promise<boolean> {
  const id = file.replace(/\.md$/, '');
  if (await admin.post(id)) return false;
  const { fields, body } = readDocument(await readFile(new URL(file, POSTS), 'utf8'));
  const picture = `${fields.picture}.jpg`;
  const featuredImage = createHash('sha256').update(`seed ${id}`).digest('hex').slice(0, 20);
  if (!(await admin.hasFile(featuredImage))) {
    const bytes = await readFile(new URL(picture, PICTURES));
    await admin.uploadFile({ id: featuredImage, name: picture, bytes, status: 'active', userId });
  }
  const content = storedHtml(readMarkdown(body).tree);
  const values = postValues({ ...fields, title: String(fields.title), content, featuredImage, status: 'active' });
  await admin.createPost({ ...values, id, userId, createdAt: String(fields.date) });
  return true;
}

await runCommand(async () => {
  const { password } = readArguments('Usage: npm run seed [-- --password PASSWORD]', { password: TEXT }).values;
  const configuration = readConfiguration();
  await withBackend(configuration, async (access) => {
    const target = { ...configuration.appwrite, ...access };
    await provision(target);
    const admin = createAdmin(target);
    const userId = await authorId(admin, password);
    for (const file of (await readdir(POSTS)).sort()) {
      const made = await seedPost(admin, file, userId);
      console.log(`${made ? 'created  ' : 'unchanged'} ${configuration.siteUrl}${postPath(file.replace(/\.md$/, ''))}`);
    }
  });
});
