/** Bundles the backend, as in production, so that no process also holds the type stripper. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
// Astro depends on it.
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');

/** Bundles the tests' child process next to its packages; returns the path. */
export async function bundledChild(): Promise<string> {
  const folder = join(ROOT, 'node_modules', '.cache', 'common-ink-bench');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `backend-${process.pid}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'tests', 'support', 'backend-child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [
      {
        name: 'rooms',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^#/ }, ({ path }) => ({ path: join(ROOT, 'src', path.slice(1)) })),
      },
    ],
  });
  return outfile;
}
