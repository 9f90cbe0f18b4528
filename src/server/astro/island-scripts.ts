/** Lists the scripts an island needs, so that its page preloads them; the editor's imports are four round trips deep. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Outside `client`, so the file is not served. */
const FILE = 'island-scripts.json';
const ISLANDS = /\/src\/islands\/(.+\.tsx)$/;
const RENDERER = /\/@astrojs\/react\/dist\/client\.js$/;

/** URL paths of the scripts that an island needs, largest first, by the island's path below `src/islands`. */
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
