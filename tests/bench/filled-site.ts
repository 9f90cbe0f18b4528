/** Starts the built site with posts, for benches that measure commands. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { Users } from 'node-appwrite';
import { buildIsStale } from '../../scripts/build-stamp.ts';
import { RunningSite, type Writer } from '../e2e/site.ts';

export interface FilledSite {
  readonly site: RunningSite;
  readonly writer: Writer;
  /** Contains the site's data in `data`, and files that the bench writes. */
  readonly folder: string;
}

export function buildIfStale(): void {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'build.ts');
  if (buildIsStale()) execFileSync(process.execPath, [script], { stdio: 'inherit' });
}

/** Runs `bench` on a site in the folder `kept` or a temporary one. Calls `fill` first unless an earlier run did so. */
export async function onFilledSite(
  kept: string,
  environment: NodeJS.ProcessEnv,
  fill: (site: RunningSite, writer: Writer) => Promise<void>,
  bench: (filled: FilledSite) => Promise<void>,
): Promise<void> {
  buildIfStale();
  const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
  const isNew = !existsSync(join(folder, 'data'));
  const site = new RunningSite(await freePort(), join(folder, 'data'), { environment });
  await site.start();
  try {
    const writer = isNew ? await site.writer() : await knownWriter(site);
    if (isNew) {
      await fill(site, writer);
      // Restarts the server, so that memory left from filling it doesn't count.
      await site.stop();
      await site.start();
    }
    await bench({ site, writer, folder });
  } finally {
    await site.stop();
    if (!kept) await rm(folder, { recursive: true, force: true });
  }
}

async function knownWriter(site: RunningSite): Promise<Writer> {
  const users = new Users(site.admin());
  const user = (await users.list()).users[0];
  if (!user) throw new Error('The site of --folder has no writer. Remove the folder.');
  const { secret } = await users.createSession({ userId: user.$id });
  return { id: user.$id, name: user.name, email: user.email, password: '', session: secret };
}
