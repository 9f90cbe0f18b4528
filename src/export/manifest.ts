/** Stores data about exported pages for the next run: ETags, and data that a 304 response lacks. */
import type { ExportFolder } from './folder.ts';

export interface ManifestPage {
  readonly etag: string | undefined;
  readonly headers: readonly string[];
  readonly pictures: readonly string[];
}

export interface Manifest {
  readonly siteChecksum: string;
  readonly pages: ReadonlyMap<string, ManifestPage>;
  readonly posts: ReadonlyMap<string, string>;
  readonly searchParts: readonly string[];
  /** Files from earlier builds, each with the Unix time in ms of the first export that no longer used it. */
  readonly formerAssets: Readonly<Record<string, number>>;
  /** Slugs of posts that were pages such as `/about` in an earlier export. Their page paths now redirect. */
  readonly formerPages: readonly string[];
}

export const EMPTY: Manifest = {
  siteChecksum: '',
  pages: new Map(),
  posts: new Map(),
  searchParts: [],
  formerAssets: {},
  formerPages: [],
};

const FILE = 'pages.json';
const FORM = 8;

/** The file's JSON. Pages refer to header sets and pictures by index, because many pages share them. */
interface Written extends Pick<Manifest, 'siteChecksum' | 'searchParts' | 'formerAssets' | 'formerPages'> {
  readonly form: number;
  readonly headerSets: readonly (readonly string[])[];
  readonly pictures: readonly string[];
  readonly pages: readonly (readonly [
    path: string,
    etag: string | null,
    headers: number,
    pictures: readonly number[],
  ])[];
  readonly posts: readonly (readonly [id: string, version: string])[];
}

export async function readManifest(folder: ExportFolder): Promise<Manifest> {
  const text = folder.wasInterrupted ? undefined : await folder.note(FILE);
  if (text === undefined) return EMPTY;
  try {
    const { form, headerSets, pictures, pages, posts, ...same } = JSON.parse(text) as Written;
    if (form !== FORM) return EMPTY;
    const pageOf = ([path, etag, headers, shown]: Written['pages'][number]): [string, ManifestPage] => {
      const named = shown.map((number) => pictures[number] as string);
      return [path, { etag: etag ?? undefined, headers: headerSets[headers] ?? [], pictures: named }];
    };
    return { ...same, pages: new Map(pages.map(pageOf)), posts: new Map(posts) };
  } catch {
    return EMPTY;
  }
}

export async function writeManifest(folder: ExportFolder, { pages, posts, ...same }: Manifest): Promise<void> {
  const [headerSets, pictures] = [new Map<string, number>(), new Map<string, number>()];
  const listed = Array.from(pages, ([path, { etag, headers, pictures: shown }]): Written['pages'][number] => [
    path,
    etag ?? null,
    numberIn(headerSets, JSON.stringify(headers)),
    shown.map((picture) => numberIn(pictures, picture)),
  ]);
  const written: Written = {
    ...{ ...same, form: FORM, pages: listed, posts: [...posts] },
    headerSets: Array.from(headerSets.keys(), (key): string[] => JSON.parse(key)),
    pictures: [...pictures.keys()],
  };
  await folder.putNote(FILE, JSON.stringify(written));
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}
