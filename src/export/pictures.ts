/** Exports the pictures in pages, in the sizes that the pages request. Skips pictures that guests may not see. */
import { dirname } from 'node:path';
import type { Log } from '@common-ink/http/log.ts';
import { OperatorError } from '#blog/errors.ts';
import { type PictureFile, pictureFileOf } from './file-paths.ts';
import type { ExportFolder } from './folder.ts';
import type { Source } from './source.ts';

const PICTURE = /\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/(?:view|preview|download)(?:\?[\w=&;.%-]*)?/g;

/** Returns a page's picture URLs below `/v1`, sorted. Includes absolute URLs that begin with `siteUrl`. */
export function picturesIn(text: string, siteUrl: string): string[] {
  const pictures = new Set<string>();
  for (const match of text.matchAll(PICTURE)) {
    if (isOwn(text, match.index, siteUrl)) pictures.add(match[0].replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  }
  // Copies each match, because a substring would keep the entire page in memory.
  return Array.from(pictures, (picture) => Buffer.from(picture).toString()).sort();
}

function isOwn(text: string, at: number, siteUrl: string): boolean {
  if (text.slice(Math.max(0, at - siteUrl.length), at) === siteUrl) return true;
  return !/[\w.\]:-]/.test(text[at - 1] ?? ' ');
}

/** Hosts that ignore query strings serve the preview closest to this width, which suits a full phone screen. */
const MIDDLE_WIDTH = 960;

const TOLD_EVERY = 50;

/** Exports pictures. Returns their files and the missing URLs. @throws Error if the server stops responding */
export async function exportPictures(
  { folder, source, log }: { readonly folder: ExportFolder; readonly source: Source; readonly log: Log },
  addresses: Iterable<string>,
): Promise<{ files: string[]; missing: string[] }> {
  const files = new Map<string, string>();
  const middles = new Map<string, { readonly address: string; readonly away: number }>();
  for (const address of addresses) {
    const place = pictureFileOf(address);
    if (!place) continue;
    files.set(place.file, address);
    const middle = middleOf(place);
    if (!middle) continue;
    const other = middles.get(middle.file);
    if (!other || middle.away < other.away) middles.set(middle.file, { address, away: middle.away });
  }
  for (const [file, { address }] of middles) files.set(file, address);

  const missing: string[] = [];
  // Requests one picture at a time, because scaling a large one uses about 100 MB and all processors of the server.
  const wanted = [...files].filter(([file]) => !folder.owns(file));
  for (const [at, [file, address]] of wanted.entries()) {
    const body = await bodyOf(source, address);
    if (body) await folder.put(file, body);
    else {
      missing.push(address);
      files.delete(file);
    }
    if ((at + 1) % TOLD_EVERY === 0) log('info', `${at + 1} of ${wanted.length} pictures`);
  }
  const named = [...new Set(missing)];
  if (named.length > 0)
    log('warn', `${named.length} pictures that pages show could not be fetched, starting with ${named[0]}.`);
  return { files: [...files.keys()], missing: named };
}

async function bodyOf(source: Source, address: string): Promise<Buffer | undefined> {
  try {
    const { status, body } = await source.file(address);
    return status === 200 ? body : undefined;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

function middleOf({ file, width }: PictureFile): { file: string; away: number } | undefined {
  return width === undefined ? undefined : { file: `${dirname(file)}/preview`, away: Math.abs(width - MIDDLE_WIDTH) };
}
