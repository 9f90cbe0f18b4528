/** Changing one word in the blog changes only that word in the file. `SYNC_FOLDER=DIR` tests another folder. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSyncedFolder } from '../../tests/support/synced-folder.ts';

const FOLDER = process.env.SYNC_FOLDER;
const FIXTURES = join(import.meta.dirname, '../../tests/import/fixtures');

const folder = await openSyncedFolder();

/** Changes a word in the middle of the text. Returns undefined if no word has five or more lower-case letters. */
function withChangedWord(html: string): string | undefined {
  const words = [...html.matchAll(/(?<=>)[^<>]+(?=<)/g)].flatMap(({ 0: text, index }) =>
    text.includes('://') ? [] : Array.from(text.matchAll(/[a-z]{5,}/g), (word) => index + word.index + word[0].length),
  );
  const middle = words[Math.floor(words.length / 2)];
  return middle === undefined ? undefined : `${html.slice(0, middle)}changed${html.slice(middle)}`;
}

/** Returns the change as `old → new`, without the prefix and suffix that `before` and `after` share. */
function difference(before: string, after: string): string {
  let [from, to] = [0, 0];
  while (from < before.length && before[from] === after[from]) from++;
  while (to < before.length - from && before.at(-1 - to) === after.at(-1 - to)) to++;
  return `${before.slice(from, before.length - to)} → ${after.slice(from, after.length - to)}`;
}

it(`changes one word of each file of ${FOLDER ?? 'the fixtures'}`, { timeout: 3_600_000 }, async () => {
  await folder.empty();
  await cp(FOLDER ?? FIXTURES, folder.directory, { recursive: true, filter: (path) => !/\/\.git(?:\/|$)/.test(path) });
  const sync = () => folder.run({ isSure: true });
  const paths = new Map((await sync()).map(({ slug, path }) => [slug ?? '', path]));
  const before = new Map<string, string>();
  for await (const post of folder.whole.posts()) {
    const [content, path] = [withChangedWord(post.content), paths.get(post.id)];
    if (!content || !path) continue;
    before.set(path, await folder.read(path));
    await folder.edit(post.id, () => ({ content }));
  }
  await sync();
  const wrong: string[] = [];
  for (const [path, text] of before) {
    const found = difference(text, await folder.read(path));
    // The text of links such as `[ink]` and `[[Ink]]` is also their target. If the text changes, the sync must write
    // the old target out, as in `[changed][ink]` and `[[Ink|changed]]`.
    if (!/^(?:[^\]\n]*\]\[)? → (?:\|[^\]\n]*)?changed(?:[^\n]*\][[(].*)?$/.test(found))
      wrong.push(`${path}: ${found.slice(0, 300)}`);
  }
  expect(before.size).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
  expect((await sync()).filter(({ action }) => action !== 'skipped' && action !== 'failed')).toEqual([]);
});
