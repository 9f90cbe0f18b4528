/** What an export has in its folder, kept from one run to the next: each page's validator and what else a 304 does not say. */
import type { ExportFolder } from './folder.ts';

export interface ManifestPage {
  readonly etag: string | undefined;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Addresses below the site's `/v1`. */
  readonly pictures: readonly string[];
}

export interface Manifest {
  /** Names the build and the settings of which all pages were made. */
  readonly siteChecksum: string;
  readonly pages: ReadonlyMap<string, ManifestPage>;
  /** What each post's page was made of (`postVersions`). */
  readonly posts: ReadonlyMap<string, string>;
  /** What each part of the search index was made of. */
  readonly searchParts: readonly string[];
  /** Files of former builds, and since when (milliseconds since 1970) no page names them. */
  readonly formerAssets: Readonly<Record<string, number>>;
}

export const EMPTY: Manifest = {
  siteChecksum: '',
  pages: new Map(),
  posts: new Map(),
  searchParts: [],
  formerAssets: {},
};

const FILE = 'pages.json';
const FORM = 6;

/** As JSON; pages name their headers, of which there are few sets, by number. */
interface Written extends Pick<Manifest, 'siteChecksum' | 'searchParts' | 'formerAssets'> {
  readonly form: number;
  readonly headerSets: readonly (readonly string[])[];
  readonly pages: readonly (readonly [
    path: string,
    etag: string | null,
    headers: number,
    pictures: readonly string[],
  ])[];
  readonly posts: readonly (readonly [id: string, version: string])[];
}

/** Empty where there is none that can be read, or the last run was interrupted. */
export async function readManifest(folder: ExportFolder): Promise<Manifest> {
  const text = folder.wasInterrupted ? undefined : await folder.note(FILE);
  if (text === undefined) return EMPTY;
  try {
    const { form, headerSets, pages, posts, siteChecksum, searchParts, formerAssets } = JSON.parse(text) as Written;
    if (form !== FORM) return EMPTY;
    const pageOf = ([path, etag, headers, pictures]: Written['pages'][number]) =>
      [path, { etag: etag ?? undefined, headers: headerSets[headers] ?? [], pictures }] as const;
    return { siteChecksum, searchParts, formerAssets, pages: new Map(pages.map(pageOf)), posts: new Map(posts) };
  } catch {
    return EMPTY;
  }
}

export async function writeManifest(
  folder: ExportFolder,
  { siteChecksum, pages, posts, searchParts, formerAssets }: Manifest,
): Promise<void> {
  const numbers = new Map<string, number>();
  // Pages of the last run share their lists.
  const known = new Map<readonly string[], number>();
  const numberOf = (headers: readonly string[]): number => {
    let number = known.get(headers);
    if (number !== undefined) return number;
    const key = JSON.stringify(headers);
    number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    known.set(headers, number);
    return number;
  };
  const listed = Array.from(
    pages,
    ([path, { etag, headers, pictures }]) => [path, etag ?? null, numberOf(headers), pictures] as const,
  );
  const headerSets = Array.from(numbers.keys(), (key): string[] => JSON.parse(key));
  const written: Written = {
    form: FORM,
    siteChecksum,
    headerSets,
    searchParts,
    formerAssets,
    pages: listed,
    posts: [...posts],
  };
  await folder.putNote(FILE, JSON.stringify(written));
}
