/**
 * Makes random edits in a blog and two folders. No sentence may be lost, and all sides must end up the same. For many
 * runs, use `TMPDIR=/dev/shm SYNC_HISTORIES=10000 vitest run src/sync/histories`. A run on a disk takes twice as long.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSyncedFolder } from '../../tests/support/synced-folder.ts';
import { blocksIn } from './blocks.ts';
import { createSourceCache, type SourceCache } from './source-cache.ts';
import type { SyncResult } from './sync-pair.ts';

const HISTORIES = Number(process.env.SYNC_HISTORIES ?? 25);
const SEED = Number(process.env.SYNC_SEED ?? Date.now() % 2 ** 31);
const ROUNDS = 6;

const blog = await openSyncedFolder();
const { admin, whole } = blog;

function createRandom(start: number) {
  let state = start;
  const below = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
  return { below, pick: <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)] };
}
type Random = ReturnType<typeof createRandom>;

class History {
  readonly random: Random;
  readonly #folders: readonly string[];
  /** The folder in which the next edits and the next sync happen. */
  directory: string;
  /** The first words of all sentences that were written, and of those that an edit removed. */
  readonly written = new Set<string>();
  readonly removed = new Set<string>();
  /** One cache for each folder, as in `--watch`. Histories with an odd seed sync without caches. */
  readonly #caches = new Map<string, SourceCache>();
  #count = 0;
  #names = 0;

  constructor(seed: number, folders: readonly [string, string]) {
    this.random = createRandom(seed);
    this.#folders = folders;
    this.directory = folders[0];
    if (seed % 2 === 0) for (const folder of folders) this.#caches.set(folder, createSourceCache(folder));
  }

  changeFolder(): void {
    this.directory = this.random.pick(this.#folders) ?? this.directory;
  }

  /** Syncs each folder in turn, `times` times. Returns the results of the last round. */
  async syncAll(times: number): Promise<SyncResult[]> {
    const results: SyncResult[] = [];
    for (let time = 0; time < times; time++) {
      results.length = 0;
      for (this.directory of this.#folders) results.push(...(await this.sync()));
    }
    return results;
  }

  sentence(): string {
    const words = `s${++this.#count}e wrote about ink`;
    this.written.add(words.split(' ', 1)[0] ?? '');
    return words;
  }

  /** Records the sentences that an edit removed from a text. */
  #lose(before: string, after: string): void {
    for (const name of before.match(/\bs\d+e\b/g) ?? []) if (!after.includes(name)) this.removed.add(name);
  }

  sync(): Promise<SyncResult[]> {
    const cache = this.#caches.get(this.directory);
    return blog.run({ directory: this.directory, isSure: true, ...(cache && { cache }) });
  }

  async files(): Promise<string[]> {
    const names = await readdir(this.directory, { recursive: true });
    return names.filter((name) => name.endsWith('.md') && !name.startsWith('.common-ink')).sort();
  }

  /** Returns a random number with a suffix that makes it unique in this history. */
  #uniqueNumber = () => `${this.random.below(1_000_000)}-${++this.#names}`;

  read = (name: string) => readFile(join(this.directory, name), 'utf8');

  async create(): Promise<void> {
    const name = `note-${this.#uniqueNumber()}`;
    await writeFile(
      join(this.directory, `${name}.md`),
      `---\ntitle: ${name}\n---\n\n${this.sentence()}\n\n* ${this.sentence()}\n* ${this.sentence()}\n`,
    );
  }

  async editFile(): Promise<void> {
    const name = this.random.pick(await this.files());
    if (!name) return this.create();
    const before = await this.read(name);
    const [head = '', body = ''] = before.split(/(?<=^---\n[\s\S]*?\n---\n)/);
    // Resolves each conflict by keeping both versions.
    const blocks = body
      .replace(/^(?:<<<<<<< file|=======|>>>>>>> blog)\n/gm, '\n')
      .split(/\n\n+/)
      .map((block) => block.trim())
      .filter(Boolean);
    const at = this.random.below(blocks.length + 1);
    const kind = this.random.below(4);
    if (kind === 0) blocks.splice(at, 0, this.sentence());
    else if (kind === 1) blocks.splice(at, 1);
    else if (blocks[at]?.startsWith('*')) blocks[at] = `${blocks[at]}\n* ${this.sentence()}`;
    else if (blocks[at]) blocks[at] = `${blocks[at]} and ${this.sentence()}`;
    if (blocks.length === 0) blocks.push(this.sentence());
    const after = `${head}\n${blocks.join('\n\n')}\n`.replace(/^# <<<<<<< blog.*\n/gm, '');
    this.#lose(before, after);
    await writeFile(join(this.directory, name), after);
  }

  async editPost(): Promise<void> {
    const post = this.random.pick(await Array.fromAsync(whole.posts()));
    if (!post) return;
    const blocks = blocksIn(post.content);
    const at = this.random.below(blocks.length + 1);
    const kind = this.random.below(4);
    if (kind === 0) blocks.splice(at, 0, `<p>${this.sentence()}</p>`);
    else if (kind === 1 && blocks.length > 1) blocks.splice(at, 1);
    else if (blocks[at]) blocks[at] = blocks[at].replace(/ink/, `ink, ${this.sentence()}`);
    const content = blocks.join(this.random.below(2) === 0 ? '' : '\n');
    this.#lose(post.content, content);
    const title = this.random.below(5) === 0 ? `Title ${this.random.below(99)}` : post.title;
    await blog.edit(post.id, () => ({ content, title }));
  }

  async moveFile(): Promise<void> {
    const name = this.random.pick(await this.files());
    if (!name) return;
    await mkdir(join(this.directory, 'moved'), { recursive: true });
    await rename(join(this.directory, name), join(this.directory, 'moved', `m${this.#uniqueNumber()}.md`));
  }

  async deleteFile(): Promise<void> {
    const name = this.random.pick(await this.files());
    if (!name) return;
    this.#lose(await this.read(name), '');
    await rm(join(this.directory, name));
  }

  async deletePost(): Promise<void> {
    const post = this.random.pick(await Array.fromAsync(whole.posts()));
    if (!post) return;
    this.#lose(post.content, '');
    await admin.deletePost(post);
  }

  /** Simulates a sync that is killed halfway: syncs, then restores the old `sync.json` and about half of the files. */
  async killedSync(): Promise<void> {
    const state = join(this.directory, '.common-ink', 'sync.json');
    const before = await readFile(state, 'utf8').catch(() => undefined);
    const files = new Map(
      await Promise.all((await this.files()).map(async (name) => [name, await this.read(name)] as const)),
    );
    await this.sync();
    if (before === undefined) await rm(state);
    else await writeFile(state, before);
    for (const [name, text] of files) if (this.random.below(2) === 0) await writeFile(join(this.directory, name), text);
  }

  async everything(): Promise<string> {
    const texts: string[] = [];
    for (const folder of this.#folders)
      for (const name of await readdir(folder, { recursive: true }))
        if (name.endsWith('.md')) texts.push(await readFile(join(folder, name), 'utf8'));
    return [...texts, ...(await Array.fromAsync(whole.posts())).map(({ content }) => content)].join('\n');
  }

  async remove(): Promise<void> {
    for (const folder of this.#folders) await rm(folder, { recursive: true });
  }
}

it(
  `loses no sentence in ${HISTORIES} histories of two folders, and ends with all sides equal (seed ${SEED})`,
  async () => {
    for (let run = 0; run < HISTORIES; run++) {
      for await (const post of whole.posts()) await admin.deletePost(post);
      const folder = () => mkdtemp(join(blog.site.folder, 'history-'));
      const history = new History(SEED + run, [await folder(), await folder()]);
      const name = `history ${SEED + run}`;
      await history.create();
      await history.create();
      for (let round = 0; round < ROUNDS; round++) {
        for (let edits = history.random.below(4); edits > 0; edits--) {
          history.changeFolder();
          const kind = history.random.below(20);
          if (kind < 7) await history.editFile();
          else if (kind < 14) await history.editPost();
          else if (kind < 16) await history.moveFile();
          else if (kind < 17) await history.deleteFile();
          else if (kind < 18) await history.deletePost();
          else await history.create();
        }
        history.changeFolder();
        if (history.random.below(4) === 0) await history.killedSync();
        const failed = (await history.sync()).filter(({ action }) => action === 'failed');
        expect(failed, name).toEqual([]);
        const all = await history.everything();
        const lost = [...history.written].filter((each) => !history.removed.has(each) && !all.includes(each));
        expect(lost, `${name}, round ${round}`).toEqual([]);
      }
      await history.syncAll(2);
      const again = await history.syncAll(1);
      const done = again.filter(({ action }) => action !== 'conflict' && action !== 'skipped');
      expect(done, name).toEqual([]);
      await history.remove();
    }
  },
  Math.max(900_000, HISTORIES * 20_000),
);
