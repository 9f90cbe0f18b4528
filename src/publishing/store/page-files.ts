/** A page's three files: written under other names and then put in place, so whoever reads gets the old bytes or the new ones. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Bodies } from './bodies.ts';
import type { Encoding } from './encoding.ts';

/** The forms in the order in which `PageFiles` names their files. */
export const FORMS = ['identity', 'gzip', 'br'] as const satisfies Encoding[];

export interface PageFiles {
  /** Where the forms are written first; in the same file system as `finals`. */
  readonly drafts: readonly [string, string, string];
  readonly finals: readonly [string, string, string];
}

/** @throws NodeJS.ErrnoException when there is no room or no right to write; the old files may be gone then. */
export async function writeFiles({ drafts, finals }: PageFiles, bodies: Bodies): Promise<void> {
  try {
    await writeDrafts(drafts, bodies);
    mkdirSync(dirname(finals[0]), { recursive: true });
    await moveInto(finals, drafts);
  } catch (error) {
    await Promise.allSettled([...drafts, ...finals].map((name) => unlink(name)));
    throw error;
  }
}

/**
 * Bytes of a page that are written without letting go: some tenths of a millisecond into the system's memory, where a
 * dozen steps through the thread pool cost several times that, while readers and a writer wait for the page.
 */
const AT_ONCE = 256 * 1024;

const sizeOf = ({ identity, gzip, br }: Bodies): number => identity.length + gzip.length + br.length;

async function writeDrafts(drafts: readonly string[], bodies: Bodies): Promise<void> {
  if (sizeOf(bodies) > AT_ONCE)
    await Promise.all(FORMS.map((encoding, i) => writeFile(drafts[i] as string, bodies[encoding])));
  else for (const [i, encoding] of FORMS.entries()) writeFileSync(drafts[i] as string, bodies[encoding]);
}

/**
 * A name that is free is taken in no time. To put a file in the place of another, ext4 first sends the new bytes to the
 * disk, which takes milliseconds: all three at the same time, off the main thread.
 */
async function moveInto(finals: readonly string[], drafts: readonly string[]): Promise<void> {
  const pairs = drafts.map((draft, i) => [draft, finals[i] as string] as const);
  if (finals.some((final) => existsSync(final))) await Promise.all(pairs.map((pair) => rename(...pair)));
  else for (const pair of pairs) renameSync(...pair);
}
