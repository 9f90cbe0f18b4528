/** Where the export puts what a site serves: the file of a page and of a picture in one of its sizes. */
import { routeOf } from '#blog/routes/canonical.ts';
import { isFile } from '#blog/routes/table.ts';

/** The file of a page's path: `/post/x` lies in `post/x/index.html`, `/feed.xml` under its own name. */
export function fileOf(path: string): string {
  const inside = path.replace(/^\/|\/$/g, '');
  const route = routeOf(path)?.route;
  if (route && isFile(route)) return inside;
  return inside === '' ? 'index.html' : `${inside}/index.html`;
}

/** Endings of the compressed forms that lie beside a file. */
export const COMPRESSED = { br: '.br', gzip: '.gz' } as const;

/** True for what is worth a compressed form beside it. */
export const isText = (file: string): boolean => /\.(?:html|css|js|mjs|json|xml|txt|svg|webmanifest)$/.test(file);

export interface PictureFile {
  readonly file: string;
  /** The preview that hosts which ignore the query may show for every size. */
  readonly width?: number;
}

/**
 * The file of a picture's address. A preview's size and format are in its query, which a file cannot have: they become
 * part of its name, and the host maps them (`nginx.ts`). Undefined for an address that is no picture of the bucket.
 */
export function pictureFileOf(address: string): PictureFile | undefined {
  const known = pictureFiles.get(address);
  if (known !== undefined) return known ?? undefined;
  const file = parsePictureAddress(address);
  pictureFiles.set(address, file ?? null);
  return file;
}

/** An export that watches looks at all of them after each change. */
const pictureFiles = new Map<string, PictureFile | null>();

/** Ending of a preview in the format of its picture, whichever that is. */
export const SAME = 'same';

function parsePictureAddress(address: string): PictureFile | undefined {
  const { pathname, searchParams } = new URL(address, 'http://site');
  const [, place, kind] =
    /^\/(v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/)(view|download|preview)$/.exec(pathname) ?? [];
  if (place === undefined || kind === undefined || place.includes('..')) return undefined;
  if (kind !== 'preview') return { file: `${place}${kind}` };
  const [width = '', height = '', output = ''] = ['width', 'height', 'output'].map(
    (name) => searchParams.get(name) ?? '',
  );
  if (!/^\d{1,4}$/.test(width) || !/^\d{0,4}$/.test(height) || !/^(?:[a-z]{3,4})?$/.test(output)) return undefined;
  return { file: `${place}preview-${width}x${height}.${output || SAME}`, width: Number(width) };
}
