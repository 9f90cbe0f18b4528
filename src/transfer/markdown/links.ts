import { basename, dirname, join, normalize } from 'node:path/posix';
import { sizeInId } from '#blog/pictures/file-id.ts';
import { decoded } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import type { Collection, Target, TransferFile } from '../document.ts';
import { createAddresses } from '../old-site.ts';
import type { Source } from './sources.ts';

export function createLinks(
  sources: readonly Source[],
  archive: Pick<Archive, 'has' | 'read' | 'names'>,
  oldSite?: string,
): Collection['follow'] {
  const files = new Set(sources.map(({ path }) => path));
  // macOS may store a name in decomposed form while the text that refers to it has the composed form.
  const composed = new Map(archive.names.map((name) => [name.normalize('NFC'), name]));
  const onDisk = (place: string): string => composed.get(place.normalize('NFC')) ?? place;
  const noteAt = (place: string): string | undefined => [place, onDisk(place)].find((each) => files.has(each));
  const own = new Set(sources.flatMap(({ path, fields }) => (fields.own ? [path] : [])));
  const postAt = createAddresses(sources.map(({ path, fields: { addresses } }) => ({ path, addresses })));

  const fileAt = (candidates: readonly string[]): TransferFile | undefined => {
    const path = candidates.flatMap((place) => [place, onDisk(place)]).find(archive.has);
    if (path === undefined) return undefined;
    const id = OWN_PICTURE.exec(path)?.[1];
    const file = { key: path, name: basename(path), read: () => archive.read(path, Number.POSITIVE_INFINITY) };
    return id && sizeInId(id) ? { ...file, id } : file;
  };

  /** Follows a link in this product's own export, which names files by path and leaves other URLs unchanged. */
  function followOwn(href: string, path: string): Target {
    const [, written = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(href) ?? [];
    if (written === '' || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(written)) return { kind: 'elsewhere', href };
    const place = normalize(join(dirname(path), written));
    const note = noteAt(place);
    if (note !== undefined) return { kind: 'post', path: note, fragment };
    const id = OWN_PICTURE.exec(place)?.[1];
    if (!id) return { kind: 'elsewhere', href };
    const file = fileAt([place]);
    return file ? { kind: 'file', file: { ...file, id } } : { kind: 'nowhere' };
  }

  return (href, path) => {
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
      places.map(noteAt).find(Boolean) ??
      (written.startsWith('/?') ? postAt(written) : undefined) ??
      places.map(postAt).find(Boolean);
    if (post) return { kind: 'post', path: post, fragment };
    const file = fileAt(places);
    if (file) return { kind: 'file', file };
    if (plain.startsWith('/')) return { kind: 'elsewhere', href: oldSite ? `${oldSite}${href}` : href };
    return { kind: 'nowhere' };
  };
}

/** Matches a picture in this product's own export, in a folder named after the picture's id. */
const OWN_PICTURE = /(?:^|\/)pictures\/([a-zA-Z0-9][a-zA-Z0-9._-]{0,35})\/[^/]+$/;

/** Returns the paths in the archive to which a written path may refer, most likely first. */
function candidatesOf(written: string, path: string): string[] {
  const inside = (place: string): string[] => (place.startsWith('../') || place === '..' ? [] : [place]);
  if (written.startsWith('@/')) {
    // Zola's paths start at its `content` folder, which may be a parent of the imported folder.
    const parts = written.slice(2).split('/');
    return parts.map((_, from) => parts.slice(from).join('/'));
  }
  if (written.startsWith('/')) {
    const bare = normalize(written.slice(1));
    return [bare, `static/${bare}`, `public/${bare}`, `assets/${bare}`].flatMap(inside);
  }
  const beside = normalize(join(dirname(path), written));
  // A post at `a/b.md` was served as `a/b/`, so a link to `c.png` in it may refer to `a/b/c.png`.
  const below = normalize(join(path.replace(/\.\w+$/, ''), written));
  return [...inside(beside), ...inside(below), ...(beside.endsWith('/') ? [] : inside(`${beside}.md`))];
}
