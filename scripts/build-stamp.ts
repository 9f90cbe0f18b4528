import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';

export const ROOT = join(import.meta.dirname, '..');
export const DIST = join(ROOT, 'dist');
export const ENTRY = join(DIST, 'server', 'entry.mjs');
export const STAMP_FILE = join(DIST, 'source-stamp');
const SOURCES = ['src', 'packages', 'public', 'astro.config.mjs', 'package-lock.json', 'tsconfig.json'];

function* filesBelow(path: string, withTests: boolean): Generator<string> {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const isTest = entry.name === 'tests' || /\.test\.tsx?$/.test(entry.name);
    // The `node_modules` of a workspace package contains only caches, so it is skipped.
    if (entry.name === 'node_modules' || (isTest && !withTests)) continue;
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(below, withTests);
    else yield below;
  }
}

function stampOf(sources: readonly string[], withTests: boolean): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    if (!existsSync(join(ROOT, source))) continue;
    const files = source.includes('.') ? [source] : filesBelow(source, withTests);
    for (const file of files)
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(ROOT, file)))
        .update('\0');
  }
  return hash.digest('hex');
}

/** Returns a hash of everything that a build reads. */
export const sourceStamp = (): string => stampOf(SOURCES, false);
const TESTED = ['packages', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'scripts/conformance.ts'];

/** Returns a hash of everything that the packages' tests depend on. */
export const packagesStamp = (): string => stampOf(TESTED, true);

/** Returns false in the npm package, which has neither a lock file nor sources to build. */
export function buildIsStale(): boolean {
  if (!existsSync(join(ROOT, 'package-lock.json'))) return false;
  return !existsSync(STAMP_FILE) || readFileSync(STAMP_FILE, 'utf8') !== sourceStamp();
}

/** @throws OperatorError if the build fails */
export function buildIfStale(onBuild: () => void = () => {}): void {
  if (!buildIsStale()) return;
  onBuild();
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
  if (status !== 0) throw new OperatorError('The site could not be built. See the errors above.');
}
