import { formText } from './messages.ts';
import type { Site } from './site.ts';

/** File name extensions that the storage bucket and the file picker accept (spec 5). */
export const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif'] as const;
export const IMAGE_ACCEPT = '.png,.jpg,.jpeg,.gif,image/png,image/jpeg,image/gif';
export const IMAGE_MAX_BYTES = 10_000_000;

export function imageType(bytes: Uint8Array) {
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0xff, 0xd8, 0xff)) return 'jpg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'gif';
  return undefined;
}

/** Returns a message if the picture cannot be uploaded; undefined if it can. Checks the bytes, not the name. */
export async function imageFault(file: Blob): Promise<string | undefined> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  if (!imageType(head)) return formText.imageType;
  if (file.size > IMAGE_MAX_BYTES) return imageTooLarge(file.size);
  return undefined;
}

export const imageTooLarge = (bytes: number): string =>
  formText.imageTooLarge({ most: megabytes(IMAGE_MAX_BYTES), size: megabytes(bytes) });

const megabytes = (bytes: number): number => bytes / 1_000_000;

type StorageSite = Pick<Site, 'endpoint' | 'projectId' | 'bucketId' | 'pictureFormat'>;

/** Returns the URL of a stored file. `view` displays it; `download` makes browsers save it, except in `<img>`. */
export function fileUrl(site: StorageSite, fileId: string, kind: 'view' | 'download'): string {
  return `${filePath(site, fileId)}/${kind}?project=${encodeURIComponent(site.projectId)}`;
}

export interface Preview {
  /** CSS pixels times device pixel ratio, at most 4000. */
  readonly width: number;
  readonly height?: number;
  readonly output?: 'webp' | 'avif' | 'jpg' | 'png';
}

export function previewUrl(site: StorageSite, fileId: string, { width, height, output }: Preview): string {
  const form = `width=${width}${height ? `&height=${height}` : ''}&output=${output ?? site.pictureFormat ?? 'webp'}`;
  return `${filePath(site, fileId)}/preview?${form}&project=${encodeURIComponent(site.projectId)}`;
}

const PICTURE_WIDTHS = [320, 480, 640, 960, 1440, 1920] as const;
export const cutHeight = (width: number): number => Math.round((width * 2) / 3);
/** Size in pixels of the picture for shared links, in the proportions that social networks expect. */
export const SHARE_WIDTH = 1200;
export const SHARE_HEIGHT = 630;

/**
 * Returns true for previews that the site's own pages request. The embedded backend limits all others, so that visitors
 * cannot make it render thousands of sizes; a draft link refuses them. `height` 0 keeps the proportions.
 */
export function isSitePreview({ width, height, output }: { width: number; height: number; output: string }): boolean {
  if (width === SHARE_WIDTH) return height === SHARE_HEIGHT && output === 'jpg';
  return PICTURE_WIDTHS.some((known) => known === width) && (height === 0 || height === cutHeight(width));
}

const OWN_PICTURE = /^(\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/)view(\?project=[\w.-]+)$/;
/** Maximum width in pixels of a picture in a post's text; a wider one would show no more detail there. */
const WIDEST_IN_TEXT = 1440;

/**
 * Returns smaller versions of one of the site's own pictures, in the original's format, so that animations still play;
 * undefined for pictures from other sites and for small ones. `src` is the URL as written in the text, `width` the
 * original's width in pixels.
 */
export function choicesFor(src: string, width: number) {
  const [, file, project] = OWN_PICTURE.exec(src) ?? [];
  const smaller = PICTURE_WIDTHS.filter((each) => each >= 480 && each < width && each <= WIDEST_IN_TEXT);
  if (!file || !project || smaller.length === 0) return undefined;
  const previews = smaller.map((each) => `${file}preview?width=${each}&${project.slice(1)} ${each}w`);
  return {
    srcSet: [...previews, ...(width < WIDEST_IN_TEXT ? [`${src} ${width}w`] : [])].join(', '),
    fallback: `${src} ${file}download${project}`,
  };
}

/**
 * Rewrites an external picture's `http:` URL to `https:`, because browsers and the pages' CSP block http pictures. URLs
 * of the site and of its backend stay unchanged.
 */
export function secureAddress(src: string, siteUrl: string | undefined): string {
  if (!/^http:/i.test(src) || OF_A_BACKEND.test(src)) return src;
  if (siteUrl !== undefined && `${src}/`.startsWith(`${siteUrl}/`)) return src;
  return src.replace(/^http:/i, 'https:');
}
/** Matches picture URLs of a backend that browsers reach directly. On a developer's machine, they may be http. */
const OF_A_BACKEND = /^http:\/\/[^/]+\/v1\/storage\/buckets\//i;

export function filesShownIn(html: string, bucketId: string): string[] {
  const address = new RegExp(
    `/storage/buckets/${bucketId.replace(/\W/g, '\\$&')}/files/([A-Za-z0-9][\\w.-]{0,35})/(?:view|preview|download)\\b`,
    'g',
  );
  return [...new Set(Array.from(html.matchAll(address), (match) => match[1] as string))];
}

function filePath(site: StorageSite, fileId: string): string {
  return `${site.endpoint}/storage/buckets/${encodeURIComponent(site.bucketId)}/files/${encodeURIComponent(fileId)}`;
}

/** Stands for the id of a picture that has not been uploaded yet. A preview shows the local file in its place. */
export const UNSENT_PICTURE = 'unsent';
