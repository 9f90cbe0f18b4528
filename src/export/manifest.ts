/** Remembers an export's pages from run to run: validators, and the parts a 304 does not contain. */
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
  /** Unused files of former builds, with the Unix time since then (ms). */
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
const FORM = 7;

/** As JSON: pages refer by number to sets of headers and to pictures, which many pages share. */
interface Written extends Pick<Manifest, 'siteChecksum' | 'searchParts' | 'formerAssets'> {
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

/** Returns an empty manifest after an interrupted run, or without a stored one. */
export async function readManifest(folder: ExportFolder): Promise<Manifest> {
  const text = folder.wasInterrupted ? undefined : await folder.note(FILE);
  if (text === undefined) return EMPTY;
  try {
    const { form, headerSets, pictures, pages, posts, siteChecksum, searchParts, formerAssets } = JSON.parse(
      text,
    ) as Written;
    if (form !== FORM) return EMPTY;
    const entryOf = ([path, etag, headers, shown]: Written['pages'][number]): [string, ManifestPage] => [
      path,
      {
        etag: etag ?? undefined,
        headers: headerSets[headers] ?? [],
        pictures: shown.map((number) => pictures[number] as string),
      },
    ];
    return { siteChecksum, searchParts, formerAssets, pages: new Map(pages.map(entryOf)), posts: new Map(posts) };
  } catch {
    return EMPTY;
  }
}

export async function writeManifest(
  folder: ExportFolder,
  { siteChecksum, pages, posts, searchParts, formerAssets }: Manifest,
): Promise<void> {
  const keys = new Map<readonly string[], string>();
  const keyOf = (headers: readonly string[]): string => {
    const key = keys.get(headers) ?? JSON.stringify(headers);
    keys.set(headers, key);
    return key;
  };
  const [headerSets, pictures] = [numbering(), numbering()];
  const listed = Array.from(
    pages,
    ([path, { etag, headers, pictures: shown }]) =>
      [path, etag ?? null, headerSets.numberOf(keyOf(headers)), shown.map(pictures.numberOf)] as const,
  );
  const written: Written = {
    form: FORM,
    siteChecksum,
    headerSets: headerSets.values().map((key): string[] => JSON.parse(key)),
    pictures: pictures.values(),
    searchParts,
    formerAssets,
    pages: listed,
    posts: [...posts],
  };
  await folder.putNote(FILE, JSON.stringify(written));
}

function numbering(): { numberOf(text: string): number; values(): string[] } {
  const numbers = new Map<string, number>();
  return {
    numberOf(text) {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    },
    values: () => [...numbers.keys()],
  };
}
