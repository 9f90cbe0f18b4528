/** Finds the files that Obsidian's links refer to, by a full path, the end of a path, or a file name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { decoded } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import type { Collection } from '../document.ts';
import { isMarkdownName } from './sources.ts';

export interface Vault {
  /** True if the folder has Obsidian's settings. Otherwise only texts with Obsidian links are rewritten. */
  readonly isMarked: boolean;
  /** Returns the shortest path that ends with the name. The name of a note may lack its extension. */
  readonly find: (name: string) => string | undefined;
}

const keyOf = (path: string): string => `/${path.normalize('NFC').toLowerCase()}`;

export function createVault({ path, isFolder, names }: Pick<Archive, 'path' | 'isFolder' | 'names'>): Vault {
  const files = new Map<string, { readonly path: string; readonly key: string }[]>();
  for (const name of [...names].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const key = keyOf(name);
    if (key.includes('/.')) continue;
    for (const each of isMarkdownName(name) ? [key, key.replace(/\.\w+$/, '')] : [key]) {
      const same = files.get(basename(each));
      if (same) same.push({ path: name, key: each });
      else files.set(basename(each), [{ path: name, key: each }]);
    }
  }
  return {
    isMarked: isFolder ? existsSync(join(path, '.obsidian')) : names.some((name) => name.startsWith('.obsidian/')),
    find(name) {
      const wanted = keyOf(name.replace(/^(?:\.{0,2}\/)+/, ''));
      return files.get(basename(wanted))?.find(({ key }) => key.endsWith(wanted))?.path;
    },
  };
}

/** Returns a link to a file in the vault. `createLinks` resolves this link from any other file. */
export const addressIn = (path: string): string =>
  `/${encodeURIComponent(path).replace(/%2F/g, '/').replace(/\(/g, '%28').replace(/\)/g, '%29')}`;

/** Resolves Markdown links by file name as well, because Obsidian writes the shortest unique path. */
export function followByName(follow: Collection['follow'], vault: Vault): Collection['follow'] {
  if (!vault.isMarked) return follow;
  return (href, from) => {
    const target = follow(href, from);
    const [, written = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(href) ?? [];
    const path = target.kind === 'nowhere' ? vault.find(decoded(written)) : undefined;
    const found = path === undefined ? target : follow(addressIn(path) + fragment, from);
    return found.kind === 'elsewhere' ? target : found;
  };
}
