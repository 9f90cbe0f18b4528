/** Tests a post whose file is in a folder that `npm run sync` keeps in sync with the blog. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases } from 'node-appwrite';
import { violationsOn } from './axe.ts';
import { editPost, typeAfter } from './post-form.ts';
import { expect, ownSite, type RunningSite, test, type Writer } from './site.ts';

const PATH = 'notes/ink.md';
const FIRST = 'Ink spreads along the fibres.';
const SECOND = 'Paper remembers every hand.';

interface Folder {
  readonly site: RunningSite;
  readonly writer: Writer;
  readonly read: () => Promise<string>;
  readonly write: (text: string) => Promise<void>;
  /** Syncs, and returns the command's output. */
  readonly sync: () => Promise<string>;
}

const note = (...paragraphs: string[]) => `---\ntitle: Of ink\n---\n\n${paragraphs.join('\n\n')}\n`;

/** Writes a note into a new folder and syncs it, which creates a post. `site` must have no posts from other tests. */
async function syncedFolder(site: RunningSite): Promise<Folder> {
  const [writer, directory] = [await site.writer(), await mkdtemp(join(tmpdir(), 'common-ink-folder-'))];
  await mkdir(join(directory, 'notes'));
  const read = () => readFile(join(directory, PATH), 'utf8');
  const write = (text: string) => writeFile(join(directory, PATH), text);
  // The command exits with 1 while there is a conflict.
  const sync = () =>
    site.command('sync', directory, '--author', writer.email).catch((error: { stdout?: string }) => {
      if (error.stdout === undefined) throw error;
      return error.stdout;
    });
  await write(note(FIRST, SECOND));
  expect(await sync()).toContain(`post created     ${PATH}`);
  return { site, writer, read, write, sync };
}

/** Changes the second paragraph on both sides. */
async function conflict({ site, write, sync }: Folder): Promise<void> {
  await site.update('ink', { content: `<p>${FIRST}</p><p>Paper remembers little.</p>` });
  await write(note(FIRST, 'Paper remembers ink.'));
  expect(await sync()).toContain(`conflict         ${PATH}`);
}

test('a conflict is merged in the form, and the next sync writes the post into the file', async ({ open, access }) => {
  await using site = await ownSite({ access });
  const folder = await syncedFolder(site);
  const { writer, read, sync } = folder;
  const page = await open({ as: writer, at: site });
  await editPost(page, 'ink');
  const kept = page.getByText(`This post is kept in a folder: ${PATH}.`);
  await expect(kept).toContainText(/Last synced (?:just now|\d+ minutes? ago)\./);
  await expect(page.getByRole('region', { name: 'File in a folder' })).toHaveCount(0);

  await conflict(folder);
  const form = await editPost(page, 'ink');
  const notice = page.getByRole('region', { name: 'File in a folder' });
  await expect(notice).toContainText(`The file ${PATH} and this post were changed in the same place.`);
  await typeAfter(page, FIRST, ' Slowly.');
  await notice.getByRole('button', { name: 'Compare with the file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Two versions of this post' });
  // A part that was changed only in this form needs no choice.
  await expect(dialog.getByText('One part is undecided: choose.')).toBeVisible();
  const paragraph = dialog.locator('section').filter({ hasText: 'Paper remembers' });
  await expect(paragraph.locator('del')).toHaveText('removed: ink');
  await expect(paragraph.locator('ins')).toHaveText('added: little');
  expect(await violationsOn(page)).toEqual([]);
  await paragraph.getByRole('radio', { name: 'both' }).check();
  await dialog.getByRole('button', { name: 'Use the choice' }).click();
  await expect(notice).toBeHidden();
  await form.publish('ink');
  const merged = [`${FIRST} Slowly.`, 'Paper remembers ink.', 'Paper remembers little.'];
  expect((await site.stored('ink')).content).toBe(merged.map((words) => `<p>${words}</p>`).join(''));

  expect(await sync()).toBe(`file updated     ${PATH}\n`);
  expect(await read()).toBe(note(...merged));
  expect(await sync()).toBe('');
  await editPost(page, 'ink');
  await expect(kept).toContainText('Last synced');
  await expect(notice).toHaveCount(0);
});

test('the post is kept in a conflict, and the file’s version among the former ones', async ({ open, access }) => {
  await using site = await ownSite({ access });
  const folder = await syncedFolder(site);
  const { writer, read, sync } = folder;
  await conflict(folder);
  const page = await open({ as: writer, at: site });
  await editPost(page, 'ink');
  const marked = await read();
  expect(await sync()).toContain(`conflict         ${PATH}`);
  expect(await read()).toBe(marked);
  await page.getByRole('button', { name: 'Keep this post' }).click();
  await expect(page.getByRole('status').getByText('The next sync writes this post into the file.')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'About the post' })).toContainText('The next sync writes');
  await expect(page.getByRole('region', { name: 'File in a folder' })).toHaveCount(0);
  // The file's version was never published, so a later author of the post may not read it.
  const { documents } = await new Databases(site.as(writer)).listDocuments({
    ...{ databaseId: 'blog', collectionId: 'revisions' },
  });
  expect(documents.map(({ content, status }) => [content, status])).toEqual([
    [`<p>${FIRST}</p>\n<p>Paper remembers ink.</p>`, 'inactive'],
  ]);

  expect(await sync()).toBe(`file updated     ${PATH}\n`);
  expect(await read()).toBe(note(FIRST, 'Paper remembers little.'));
  expect(await sync()).toBe('');
  await page.getByRole('button', { name: 'Former versions' }).click();
  await expect(page.getByRole('dialog').locator('del').filter({ hasText: 'ink' })).toBeVisible();
});

test('a choice that is put back, and a file that was changed since, leave the conflict', async ({ open, access }) => {
  await using site = await ownSite({ access });
  const folder = await syncedFolder(site);
  const { writer, read, write, sync } = folder;
  await conflict(folder);
  const page = await open({ as: writer, at: site });
  const form = await editPost(page, 'ink');
  await page.getByRole('button', { name: 'Compare with the file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep the file’s' }).click();
  await expect(form.content).toContainText('Paper remembers ink.');
  await page.getByRole('button', { name: 'Put back what was there' }).click();
  await expect(form.content).toContainText('Paper remembers little.');
  await form.publish('ink');
  expect(await sync()).toContain(`conflict         ${PATH}`);

  await editPost(page, 'ink');
  const notice = page.getByRole('region', { name: 'File in a folder' });
  await expect(notice).toBeVisible();
  await write((await read()).replace('Paper remembers ink.', 'Paper remembers all ink.'));
  expect(await sync()).toContain(`conflict         ${PATH}`);
  await notice.getByRole('button', { name: 'Keep this post' }).click();
  await expect(notice.getByRole('alert')).toHaveText('The file has changed again. Reload the page to see how.');
  expect(await sync()).toContain(`conflict         ${PATH}`);
  expect(await read()).toContain('Paper remembers all ink.');
});
