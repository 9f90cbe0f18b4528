/** The pictures that pages name, each in the sizes they name, fetched as a guest. A stored file never changes. */
import { dirname } from 'node:path';
import type { ExportOptions } from './export.ts';
import { type PicturePlace, pictureFileOf } from './places.ts';

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

function middleOf({ file, width }: PicturePlace): { file: string; away: number } | undefined {
  return width === undefined ? undefined : { file: `${dirname(file)}/preview`, away: Math.abs(width - MIDDLE_WIDTH) };
}
