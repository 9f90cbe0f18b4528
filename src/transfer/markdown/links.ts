import { basename, dirname, join, normalize } from 'node:path/posix';
import { addressOf, decoded, queryOf } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import type { Target, TransferFile } from '../document.ts';
import type { Source } from './sources.ts';

export interface Links {
  follow(href: string, path: string): Target;
}

export interface LinkOptions {
  readonly archive: Pick<Archive, 'has' | 'read'>;
  /** Links to this address lead to the imported posts. */
  readonly oldSite?: string | undefined;
}

export function createLinks(sources: readonly Source[], { archive, oldSite }: LinkOptions): Links {
  const byFile = new Map<string, string>();
  const byAddress = new Map<string, string>();
  const own = new Set<string>();
  for (const { path, fields } of sources) {
    if (fields.own) own.add(path);
    byFile.set(path, path);
    for (const address of fields.addresses) {
      const key = address.toLowerCase();
      if (!byAddress.has(key)) byAddress.set(key, path);
    }
  }

  function postAt(address: string): string | undefined {
    const path = addressOf(address);
    return [path + queryOf(address), path].map((key) => byAddress.get(key.toLowerCase())).find(Boolean);
  }

  const fileAt = (candidates: readonly string[]): TransferFile | undefined => {
    const path = candidates.find(archive.has);
    if (path === undefined) return undefined;
    return { key: path, name: basename(path), read: () => archive.read(path, Number.POSITIVE_INFINITY) };
  };

  /** This product's own export names files by their paths and leaves all other addresses as they are. */
  function followOwn(href: string, path: string): Target {
    const [, written = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(href) ?? [];
    if (written === '' || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(written)) return { kind: 'elsewhere', href };
    const place = normalize(join(dirname(path), written));
    const post = byFile.get(place);
    if (post) return { kind: 'post', path: post, fragment };
    const id = OWN_PICTURE.exec(place)?.[1];
    if (!id) return { kind: 'elsewhere', href };
    const file = fileAt([place]);
    return file ? { kind: 'file', file: { ...file, id } } : { kind: 'nowhere' };
  }

  return {
    follow(href, path) {
      if (own.has(path)) return followOwn(href, path);
      const [, written = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(href) ?? [];
      if (written === '') return { kind: 'elsewhere', href };
      if (oldSite && (written === oldSite || written.startsWith(`${oldSite}/`))) {
        const post = postAt(written.slice(oldSite.length));
        return post ? { kind: 'post', path: post, fragment } : { kind: 'elsewhere', href };
      }
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written)) return { kind: 'elsewhere', href };
      const plain = decoded(written.replace(/\?.*$/, ''));
      const places = candidatesOf(plain, path);
      const post =
        places.map((place) => byFile.get(place)).find(Boolean) ??
        (written.startsWith('/?') ? postAt(written) : undefined) ??
        places.map(postAt).find(Boolean);
      if (post) return { kind: 'post', path: post, fragment };
      const file = fileAt(places);
      if (file) return { kind: 'file', file };
      if (plain.startsWith('/')) return { kind: 'elsewhere', href: oldSite ? `${oldSite}${href}` : href };
      return { kind: 'nowhere' };
    },
  };
}

/** A picture of this product's own export: its folder is the id in the bucket. */
const OWN_PICTURE = /(?:^|\/)pictures\/([a-zA-Z0-9][a-zA-Z0-9._-]{0,35})\/[^/]+$/;

/** Returns the paths in the archive that a written path may mean, likeliest first. */
function candidatesOf(written: string, path: string): string[] {
  const inside = (place: string): string[] => (place.startsWith('../') || place === '..' ? [] : [place]);
  if (written.startsWith('@/')) {
    // Zola's paths start at its `content` folder, which may be above the imported one.
    const parts = written.slice(2).split('/');
    return parts.map((_, from) => parts.slice(from).join('/'));
  }
  if (written.startsWith('/')) {
    const bare = normalize(written.slice(1));
    return [bare, `static/${bare}`, `public/${bare}`, `assets/${bare}`].flatMap(inside);
  }
  const beside = normalize(join(dirname(path), written));
  // A post at `a/b.md` was served as `a/b/`, so its `c.png` may be in `a/b/`.
  const below = normalize(join(path.replace(/\.\w+$/, ''), written));
  return [...inside(beside), ...inside(below), ...(beside.endsWith('/') ? [] : inside(`${beside}.md`))];
}
