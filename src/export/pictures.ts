/** The pictures that pages name, each in the sizes they name, fetched as a guest. A stored file never changes. */
import { dirname } from 'node:path';
import type { ExportOptions } from './export.ts';
import { type PictureFile, pictureFileOf } from './places.ts';

const PICTURE = /\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/(?:view|preview|download)(?:\?[\w=&;.%-]*)?/g;

/** The addresses below `/v1` that a page names, sorted. `siteUrl` tells the site's own absolute addresses from those of others. */
export function picturesIn(text: string, siteUrl: string): string[] {
  const pictures = new Set<string>();
  for (const match of text.matchAll(PICTURE)) {
    if (isOwn(text, match.index, siteUrl)) pictures.add(match[0].replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  }
  // A part of the page's text would keep all of it in memory.
  return Array.from(pictures, (picture) => Buffer.from(picture).toString()).sort();
}

/** True where the path begins an address of its own, or follows the site's. */
function isOwn(text: string, at: number, siteUrl: string): boolean {
  if (text.slice(Math.max(0, at - siteUrl.length), at) === siteUrl) return true;
  return !/[\w.\]:-]/.test(text[at - 1] ?? ' ');
}

/** The size that is shown where a host cannot tell sizes apart: wide enough for a phone's whole screen. */
const MIDDLE_WIDTH = 960;

export async function exportPictures(
  { folder, source, log }: Pick<ExportOptions, 'folder' | 'source' | 'log'>,
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
  // One by one: drawing a large picture takes the server some 100 MB, and all its processors.
  for (const [file, address] of [...files]) {
    if (folder.owns(file)) continue;
    const { status, body } = await source.file(address);
    if (status === 200) await folder.put(file, body);
    else {
      missing.push(address);
      files.delete(file);
    }
  }
  if (missing.length > 0)
    log('warn', `${missing.length} pictures that pages name are not to be had, ${missing[0]} first.`);
  return { files: [...files.keys()], missing };
}

function middleOf({ file, width }: PictureFile): { file: string; away: number } | undefined {
  return width === undefined ? undefined : { file: `${dirname(file)}/preview`, away: Math.abs(width - MIDDLE_WIDTH) };
}
