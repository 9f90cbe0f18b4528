/** What an export knows of the pages it wrote, kept in its folder from one run to the next. */
import type { ExportFolder } from './folder.ts';

export interface KnownPage {
  readonly etag: string | undefined;
  /** What the page's posts were when it was read (`versions.ts`). */
  readonly version: string;
  /** Asked for once since its posts changed and found the same: it is asked once more, for the server may be late. */
  readonly doubt?: true;
  /** Number of its header set. */
  readonly headers: number;
  readonly posts: readonly string[];
  readonly pages: readonly string[];
  readonly pictures: readonly string[];
}

export interface Ledger {
  /** Of what all pages are made: the site's build and settings. */
  look: string;
  /** Sets of headers: name, value, name, value. */
  headerSets: (readonly string[])[];
  pages: Map<string, KnownPage>;
  /** What each part of the search index was made of. */
  searchParts: readonly string[];
  /** Files of former builds, and since when (milliseconds since 1970) no page names them. */
  formerAssets: Readonly<Record<string, number>>;
}

const FORM = 3;
const NAME = 'pages.json';

/** Empty where there is none that can be read, or the last run was interrupted. */
export async function readLedger(folder: ExportFolder): Promise<Ledger> {
  const empty: Ledger = { look: '', headerSets: [], pages: new Map(), searchParts: [], formerAssets: {} };
  const text = folder.wasInterrupted ? undefined : await folder.note(NAME);
  if (text === undefined) return empty;
  try {
    const { form, pages, ...ledger } = JSON.parse(text);
    return form === FORM ? { ...ledger, pages: new Map(Object.entries(pages)) } : empty;
  } catch {
    return empty;
  }
}

export function writeLedger(folder: ExportFolder, { pages, ...ledger }: Ledger): Promise<void> {
  return folder.putNote(NAME, JSON.stringify({ form: FORM, ...ledger, pages: Object.fromEntries(pages) }));
}

/** The number of a header set, which is added when it is new. */
export function headerSetOf({ headerSets }: Ledger, headers: readonly string[]): number {
  const same = headerSets.findIndex(
    (set) => set.length === headers.length && set.every((text, at) => text === headers[at]),
  );
  return same >= 0 ? same : headerSets.push(headers) - 1;
}
