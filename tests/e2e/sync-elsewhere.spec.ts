import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Users } from 'node-appwrite';
import type { Page } from 'playwright/test';
import { appOf } from './members.ts';
import { picture } from './pictures.ts';
import { editPost, type PostFormPage, typeAfter } from './post-form.ts';
import { test as base, expect, PASSWORD } from './site.ts';

const test = base.extend<{ laptop: Laptop }>({
  async laptop({ site }, use) {
    await using laptop = new Laptop(site.url, await mkdtemp(join(tmpdir(), 'common-ink-laptop-')));
    await mkdir(laptop.folder);
    await use(laptop);
  },
});

/** A computer that has the sync command and a folder, and knows only the address of the site. */
class Laptop {
  readonly folder: string;
  readonly site: string;
  readonly home: string;
  readonly #children = new Set<ChildProcessWithoutNullStreams>();

  constructor(site: string, home: string) {
    this.site = site;
    this.home = home;
    this.folder = join(home, 'notes');
  }

  start(...options: string[]) {
    const { PATH, TMPDIR } = process.env;
    const args = ['scripts/sync.ts', this.folder, '--site', this.site, ...options];
    const child = spawn(process.execPath, args, { env: { PATH, TMPDIR, HOME: this.home } });
    this.end(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    return { child, said: () => said, ended: once(child, 'close').then(([code]) => ({ code, said })) };
  }

  /** Registers a process to be killed at the end of the test. */
  end = (child: ChildProcessWithoutNullStreams) => this.#children.add(child);

  /** Runs the command and answers its questions. */
  sync(answers: readonly string[], ...options: string[]) {
    const { child, ended } = this.start(...options);
    child.stdin.end(answers.map((answer) => `${answer}\n`).join(''));
    return ended;
  }

  read = (name: string) => readFile(join(this.folder, name), 'utf8');
  write = (name: string, text: string) => writeFile(join(this.folder, name), text);

  /** Inserts words after a word of a file. Synchronous, so that the command has hardly any time to write in between. */
  edit(name: string, word: string, more: string): void {
    const file = join(this.folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(word, `${word} ${more}`));
  }

  async [Symbol.asyncDispose]() {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(this.home, { recursive: true });
  }
}

/** After a failed sync, `--watch` waits up to a minute before it tries again. */
const PATIENCE = { timeout: 300_000 };

const note = (title: string, words: string) => `---\ntitle: ${title}\n---\n\n${words}\n`;

test('a writer signs in once, and syncs their own posts alone', async ({ site, laptop }) => {
  const [writer, other] = [await site.writer('Ann Sample'), await site.writer('Bob Sample')];
  const [own, foreign] = [await site.post(writer, { title: 'Mine' }), await site.post(other, { title: 'Theirs' })];
  const slug = `note-${writer.id.slice(-8)}`;
  await laptop.write(`${slug}.md`, note('From a laptop', 'Written far away. ![](cat.png)'));
  await writeFile(join(laptop.folder, 'cat.png'), await picture());
  await laptop.write(`${foreign.id}.md`, note('Not theirs', 'Its address is taken.'));

  expect(await laptop.sync([writer.email, 'Wrong-horse-1'])).toMatchObject({
    code: 1,
    said: expect.stringContaining('Invalid credentials'),
  });
  const first = await laptop.sync([writer.email, PASSWORD]);
  expect(first.said).not.toContain('Warning');
  expect(first.said).toContain(`post created     ${slug}.md`);
  expect(first.said).toContain("another writer's post has this address");
  expect(await site.text(`/post/${slug}`)).toMatch(/Written far away\.[\s\S]*<img/);
  expect(await site.text(`/post/${foreign.id}`)).toContain('Theirs');
  expect(await readdir(join(laptop.folder, 'posts'))).toEqual([`${own.id}.md`]);
  await rm(join(laptop.folder, `${foreign.id}.md`));

  await site.update(slug, { content: '<p>Changed in a browser.</p>' }, writer);
  const again = await laptop.sync([]);
  expect(again).toEqual({ code: 0, said: `file updated     ${slug}.md\n` });
  expect(await laptop.read(`${slug}.md`)).toBe(note('From a laptop', 'Changed in a browser.'));
  expect(await laptop.sync([])).toEqual({ code: 0, said: '' });
  const sessions = join(laptop.home, '.config/common-ink/sessions.json');
  expect((await stat(sessions)).mode & 0o077).toBe(0);

  await rm(join(laptop.folder, `${slug}.md`));
  expect((await laptop.sync([])).said).toContain(`post unpublished ${slug}.md`);
  expect(await site.status(`/post/${slug}`)).toBe(404);
});

test('an account with a second factor is asked for its code, and an ended session for the password', async ({
  site,
  laptop,
}) => {
  const writer = await site.writer();
  const app = await appOf(site, writer);
  await laptop.write('coded.md', note('Coded', 'Twice sure.'));
  expect((await laptop.sync([PASSWORD, '000000'], '--author', writer.email)).code).toBe(1);
  const coded = laptop.start('--author', writer.email);
  coded.child.stdin.write(`${PASSWORD}\n`);
  await expect.poll(coded.said).toContain('Code from your authenticator app');
  coded.child.stdin.end(`${await app.code()}\n`);
  expect((await coded.ended).said).toContain('post created');
  await new Users(site.admin()).deleteSessions({ userId: writer.id });
  expect(await laptop.sync([], '--author', writer.email)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Run this in a terminal to sign in.'),
  });
});

/** Updates the post. If it was saved elsewhere in the meantime, resolves the conflict by keeping both versions. */
async function update(page: Page, form: PostFormPage): Promise<void> {
  await form.submit.click();
  const merge = page.getByRole('dialog').getByRole('button', { name: 'Use the choice' });
  const isSaved = page.waitForURL('**/post/*').then(() => true);
  if (await Promise.race([isSaved, merge.waitFor().then(() => false)])) return;
  await merge.click();
  await update(page, form);
}

test('two folders and three browsers change one blog at once, and no word is lost', async ({ open, site, laptop }) => {
  test.slow();
  const [ann, bob] = [await site.writer('Ann Sample'), await site.writer('Bob Sample')];
  const words = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
  const content = words.map((word) => `<p>${word}</p>`).join('');
  const [shared, other] = [await site.post(ann, { content }), await site.post(bob, { content })];
  await using server = new Laptop(site.url, await mkdtemp(join(tmpdir(), 'common-ink-server-')));
  await mkdir(server.folder);
  const whole = spawn(process.execPath, ['scripts/sync.ts', server.folder, '--watch'], {
    env: { ...process.env, ...site.environment },
  });
  server.end(whole);
  const own = laptop.start('--watch', '--author', ann.email);
  own.child.stdin.end(`${PASSWORD}\n`);
  const path = (id: string) => `posts/${id}.md`;
  for (const [place, id] of [
    [server, shared.id],
    [server, other.id],
    [laptop, shared.id],
  ] as const)
    await expect.poll(() => place.read(path(id)).catch(() => ''), PATIENCE).toContain('Five.');

  const forms = await Promise.all(
    [ann, ann, bob].map(async (as) => {
      const page = await open({ as, at: site });
      return { page, form: await editPost(page, as === ann ? shared.id : other.id) };
    }),
  );
  for (const [at, { page }] of forms.entries()) await typeAfter(page, `${words[at]}`, ` Browser ${at}.`);
  server.edit(path(shared.id), 'Four.', 'Folder of the server.');
  server.edit(path(other.id), 'Four.', 'Folder of the server.');
  laptop.edit(path(shared.id), 'Five.', 'Folder of the laptop.');
  await Promise.all(forms.map(({ page, form }) => update(page, form)));
  const all = ['One. Browser 0.', 'Two. Browser 1.', 'Four. Folder of the server.', 'Five. Folder of the laptop.'];
  for (const word of all) {
    await expect.poll(() => site.text(`/post/${shared.id}`), PATIENCE).toContain(word);
    for (const place of [server, laptop])
      await expect.poll(() => place.read(path(shared.id)), PATIENCE).toContain(word);
  }
  for (const word of ['Three. Browser 2.', 'Four. Folder of the server.']) {
    await expect.poll(() => site.text(`/post/${other.id}`), PATIENCE).toContain(word);
    await expect.poll(() => server.read(path(other.id)), PATIENCE).toContain(word);
  }
  for (const place of [server, laptop]) expect(await place.read(path(shared.id))).not.toContain('<<<<<<<');
});
