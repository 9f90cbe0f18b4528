/** Stores the last state on which a folder and a blog agreed, in `.common-ink/sync.json` inside the folder. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import * as z from 'zod';
import { OperatorError } from '#blog/errors.ts';
import { POST_FIELD_NAMES, type PostFieldName, type PostValues } from '#blog/post.ts';
import { jsonOf } from '#transfer/read-json.ts';

export const NOTES = '.common-ink';
const FILE = 'sync.json';

const agreed = z.object({
  /** Path of the file in the folder; null once the post has been unpublished because the file was deleted. */
  path: z.string().nullable(),
  /** Hash of the file's text. */
  file: z.string(),
  /** The post's `$updatedAt`. */
  updatedAt: z.string(),
  /** The post's fields except its text, each value as JSON. */
  fields: z.record(z.string(), z.string()),
  /**
   * The file's values for fields in which it differs from the post, because both sides changed them or the file cannot
   * express the post's value.
   */
  own: z.record(z.string(), z.string()).optional(),
  /** Keys of the text's blocks, made by `blockKey`. */
  blocks: z.array(z.string()),
});
export type Agreed = z.infer<typeof agreed>;

const stored = z.object({
  version: z.literal(1),
  blog: z.string(),
  /** Identifies the folder in the blog's records of synced files. */
  folder: z.string().max(36).optional(),
  /** True if the folder is, or ever was, an Obsidian vault. */
  vault: z.boolean().optional(),
  posts: z.record(z.string(), agreed),
});

/**
 * Reads the states on which a folder and a blog last agreed. Keys of the returned `posts` are slugs.
 * @throws OperatorError if the folder belongs to another blog, or `sync.json` is damaged
 */
export async function openAgreements(directory: string, blog: string) {
  const notes = join(directory, NOTES);
  const file = join(notes, FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  let written = text;
  const { data } = stored.safeParse(text === undefined ? { version: 1, blog, posts: {} } : jsonOf(text));
  if (!data)
    throw new OperatorError(`${file} is damaged. Move it away: the next run compares all files and posts anew.`);
  if (data.blog !== blog)
    throw new OperatorError(
      `${directory} is already synced with another blog (${data.blog}). Use another folder, or move ${file} away.`,
    );
  const { folder = randomUUID(), vault: isVault = false } = data;
  const posts = new Map(Object.entries(data.posts));
  return {
    posts,
    folder,
    isVault,
    /** @param vault whether the folder is an Obsidian vault */
    async save(vault: boolean): Promise<void> {
      const sorted = Object.fromEntries([...posts].sort(([one], [other]) => (one < other ? -1 : 1)));
      const whole = { version: 1, blog, folder, ...(vault && { vault }), posts: sorted };
      const now = `${JSON.stringify(whole, null, 1)}\n`;
      if (now === written) return;
      await writeWhole(await placeIn(directory, join(NOTES, FILE)), now);
      written = now;
    },
  };
}

/** Returns a file's absolute path, creating its folder. @throws OperatorError if a symlink leads out of `directory` */
export async function placeIn(directory: string, path: string): Promise<string> {
  const root = await realpath(directory);
  const file = join(root, path);
  for (let above = dirname(file); above !== root; above = dirname(above)) {
    const real = await realpath(above).catch(() => undefined);
    if (real !== undefined && !real.startsWith(root + sep))
      throw new OperatorError(
        `${above} is a link out of the folder, which is not followed: put a folder in its place.`,
      );
  }
  await mkdir(dirname(file), { recursive: true });
  return file;
}

/**
 * Writes a temporary file and renames it to `path` once it is on disk, so that no reader sees an incomplete file. An
 * existing file's permissions are kept.
 */
export async function writeWhole(path: string, text: string | Uint8Array): Promise<void> {
  const beside = `${path}.common-ink-new`;
  const former = await stat(path).catch(() => undefined);
  // Removes a temporary file that a killed run left behind. `rm` does not follow a symbolic link in its place.
  await rm(beside, { force: true });
  try {
    const handle = await open(beside, 'wx');
    try {
      if (former) await handle.chmod(former.mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Returns the values of all fields except the text, each as JSON. Omits fields that are not set. */
export function fieldsOf(post: PostValues): Record<string, string> {
  const values: Partial<Record<PostFieldName, unknown>> = post;
  const set = POST_FIELD_NAMES.flatMap((name) => {
    const value = values[name];
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return name === 'content' || isEmpty ? [] : [[name, JSON.stringify(value)] as const];
  });
  return Object.fromEntries(set);
}
