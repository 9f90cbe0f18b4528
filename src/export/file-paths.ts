import { routeOf } from '#blog/routes/canonical.ts';
import { isFile } from '#blog/routes/table.ts';

/** Returns a page's file: `post/x/index.html` for `/post/x`, `feed.xml` for `/feed.xml`. */
export function fileOf(path: string): string {
  const inside = path.replace(/^\/|\/$/g, '');
  const route = routeOf(path)?.route;
  if (route && isFile(route)) return inside;
  return inside === '' ? 'index.html' : `${inside}/index.html`;
}

export const COMPRESSED = { br: '.br', gzip: '.gz' } as const;

export const isText = (file: string): boolean => /\.(?:html|css|js|mjs|json|xml|txt|svg|webmanifest)$/.test(file);

export interface PictureFile {
  readonly file: string;
  /** Requested width in pixels. Hosts that ignore query strings send the same width for every request. */
  readonly width?: number;
}

export const SAME = 'same';

/** Returns a picture's file. A preview's name contains the size and format, which nginx takes from the query string. */
export function pictureFileOf(address: string): PictureFile | undefined {
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
