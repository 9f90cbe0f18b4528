/**
 * Which scripts an island needs, as the build knows it, so that its page can name them: else a browser learns of each
 * only when it has read the one that imports it, four journeys deep for the editor.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Beside `client` and `server`, where nobody is served it. */
const FILE = 'island-scripts.json';
const ISLANDS = /\/src\/islands\/(.+\.tsx)$/;
/** What takes over in the browser what the server has rendered. */
const RENDERER = /\/@astrojs\/react\/dist\/client\.js$/;

/** By the module's path below `src/islands`: addresses of what it needs before it can run, itself among them, the longest first. */
export type IslandScripts = Readonly<Record<string, readonly string[]>>;

/** Of the build in `folder`; without one (in development) no island is known. */
export function readIslandScripts(folder: string): IslandScripts {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as IslandScripts) : {};
}

/** Writes them when the browser's part is built. */
export const islandScripts = (): Plugin => ({
  name: 'common-ink:island-scripts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  writeBundle({ dir = '' }, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    const renderer = chunks.filter(({ facadeModuleId }) => facadeModuleId && RENDERER.test(facadeModuleId));
    if (renderer.length !== 1) this.error('The script that hydrates islands has another name: see island-scripts.ts.');
    const found: Record<string, string[]> = {};
    for (const chunk of chunks) {
      const [, island] = ISLANDS.exec(chunk.facadeModuleId ?? '') ?? [];
      if (island) found[island] = needed([chunk, ...renderer], bundle);
    }
    writeFileSync(join(dir, '..', FILE), JSON.stringify(found));
  },
});

function needed(roots: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): string[] {
  const found = new Set(roots);
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') found.add(imported);
    }
  }
  return Array.from(found)
    .sort((a, b) => b.code.length - a.code.length)
    .map(({ fileName }) => `/${fileName}`);
}
