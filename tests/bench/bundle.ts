/** The backend as it runs in service: bundled, so that no process holds the compiler of types besides. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
// Comes with Astro.
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');

/** Bundles the child process of the tests; gives the path. It lies where its packages are found. */
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
