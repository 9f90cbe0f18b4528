/** Checks that a backup can be restored: a server started on a copy must serve every published post and file. */
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkCopy, schemaFaults, silenceCopy } from 'embedded-appwrite/backup';
import { readEverything } from '#backend/server-key/verify-site-readable.ts';
import type { ServerTarget } from '#backend/target.ts';
import { OperatorError } from '#blog/errors.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Manifest } from './manifest.ts';
import { extractBackup } from './read-backup.ts';
import { BACKEND, SERVER_KEY } from './write-backup.ts';

export interface CheckOptions {
  readonly file: string;
  readonly passphrase?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly ids: Omit<ServerTarget, 'endpoint' | 'apiKey'>;
  readonly start: (dataDirectory: string) => Promise<{ readonly origin: string; close(): Promise<void> }>;
}

export interface CheckReport {
  readonly manifest: Manifest;
  readonly posts: number;
  readonly pages: number;
  readonly files: number;
  readonly bytes: number;
  /** Milliseconds between opening the backup and the server being ready. */
  readonly startedAfter: number;
  readonly milliseconds: number;
  readonly faults: readonly string[];
}

/** Returns the problems in an extracted backup's data. @throws OperatorError if the schema is not this product's */
export async function faultsOf(directory: string): Promise<readonly string[]> {
  const [fault] = schemaFaults(join(directory, BACKEND));
  if (fault) throw new OperatorError(`This is not a backup of Common Ink. ${fault}`);
  return (await checkCopy(join(directory, BACKEND))).faults;
}

/** Checks a backup on a temporary extracted copy. @throws OperatorError if the file is not a complete backup */
export async function checkRestore(options: CheckOptions): Promise<CheckReport> {
  const begun = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'common-ink-check-'));
  const dataDirectory = join(folder, 'data');
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    const manifest = await extractBackup(options.file, dataDirectory, options.passphrase);
    const faults = [...(await faultsOf(dataDirectory))];
    silenceCopy(join(dataDirectory, BACKEND));
    const server = await options.start(dataDirectory);
    const startedAfter = performance.now() - begun;
    try {
      const apiKey = options.apiKey ?? (await readFile(join(dataDirectory, SERVER_KEY), 'utf8')).trim();
      const found = await readEverything({ ...options.ids, endpoint: `${server.origin}/v1`, apiKey });
      faults.push(...found.faults, ...differences(manifest, found));
      for (const slug of found.published) {
        const status = await statusOfPage(server.origin + postPath(slug));
        if (status !== 200) faults.push(`The page of ${slug} returned status ${status}.`);
      }
      const { posts, published, files, bytes } = found;
      const milliseconds = performance.now() - begun;
      return { manifest, posts, pages: published.length, files, bytes, startedAfter, milliseconds, faults };
    } finally {
      await server.close();
    }
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true });
  }
}

const ATTEMPTS = 5;

/** Requests a page again after a 503, because a busy machine may take too long to render it. */
export async function statusOfPage(address: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address);
    await response.arrayBuffer();
    if (response.status !== 503 || attempt === ATTEMPTS) return response.status;
    await sleep(Number(response.headers.get('retry-after') ?? attempt) * 1000);
  }
}

function differences({ counts }: Manifest, found: { readonly users: number; readonly files: number }): string[] {
  return (['users', 'files'] as const).flatMap((what) =>
    counts[what] === found[what] ? [] : `The backup has ${found[what]} ${what}, but its manifest says ${counts[what]}.`,
  );
}
