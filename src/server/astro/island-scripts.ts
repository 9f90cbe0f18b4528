/**
 * Lists each island's scripts, so that pages with the island can preload them. Without this, loading the editor's
 * nested imports takes four round trips.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { WORKER as WORKER_PATH } from '../../blog/routes/paths.ts';

/** Outside `client`, so the file is not served. */
const FILE = 'island-scripts.json';
const ISLANDS = /\/src\/islands\/(.+\.tsx)$/;
/** Islands of the pages that work offline. */
const OFFLINE = ['post-form/PostForm.tsx', 'all-posts/AllPosts.tsx', 'account/Account.tsx'];
const WORKER = join(import.meta.dirname, '../../worker/worker.ts');
const RENDERER = /\/@astrojs\/react\/dist\/client\.js$/;

/**
 * Maps an island's path below `src/islands` to the URL paths of the scripts that it needs, largest first. The key
 * `offline` maps to the path of a list of all scripts that offline pages may load.
 */
export type IslandScripts = Readonly<Record<string, readonly string[]>>;

/** Reads the list that the build wrote; it is empty in development. */
export function readIslandScripts(folder: string): IslandScripts {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as IslandScripts) : {};
}

export const islandScripts = (): Plugin => ({
  name: 'common-ink:island-scripts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  buildStart() {
    this.emitFile({ type: 'chunk', id: WORKER, fileName: WORKER_PATH.slice(1) });
  },
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    if (chunks.some(({ fileName, imports }) => `/${fileName}` === WORKER_PATH && imports.length > 0))
      this.error('The service worker must be one file: see src/worker.');
    const islands = chunks.filter(({ facadeModuleId }) => OFFLINE.includes(islandOf(facadeModuleId)));
    const source = JSON.stringify(needed([...islands, ...renderersOf(chunks)], bundle, 'lazy parts too').sort());
    this.emitFile({ type: 'asset', name: 'writers-files.json', source });
  },
  writeBundle({ dir = '' }, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    const renderers = renderersOf(chunks);
    if (renderers.length !== 1) this.error('The script that hydrates islands has another name: see island-scripts.ts.');
    const list = Object.keys(bundle).filter((name) => /\/writers-files\./.test(name));
    const found: Record<string, string[]> = { offline: list.map((name) => `/${name}`) };
    for (const chunk of chunks) {
      const island = islandOf(chunk.facadeModuleId);
      if (island) found[island] = needed([chunk, ...renderers], bundle);
    }
    writeFileSync(join(dir, '..', FILE), JSON.stringify(found));
  },
});

const islandOf = (module: string | null): string => ISLANDS.exec(module ?? '')?.[1] ?? '';

const renderersOf = (chunks: readonly Rolldown.OutputChunk[]) =>
  chunks.filter(({ facadeModuleId }) => facadeModuleId && RENDERER.test(facadeModuleId));

function needed(
  roots: readonly Rolldown.OutputChunk[],
  bundle: Rolldown.OutputBundle,
  parts: 'static' | 'lazy parts too' = 'static',
): string[] {
  const found = new Set(roots);
  for (const chunk of found) {
    for (const name of parts === 'static' ? chunk.imports : [...chunk.imports, ...chunk.dynamicImports]) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') found.add(imported);
    }
  }
  return Array.from(found)
    .sort((a, b) => b.code.length - a.code.length)
    .map(({ fileName }) => `/${fileName}`);
}
