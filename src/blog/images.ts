/** Pictures: which files are accepted, and the addresses of stored ones. */

import { formText } from './messages.ts';
import type { Site } from './site.ts';

/** Name endings the bucket and the picker accept (spec 5). */
export const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif'] as const;
/** For the picker's `accept`. */
export const IMAGE_ACCEPT = '.png,.jpg,.jpeg,.gif,image/png,image/jpeg,image/gif';
/** Largest picture in bytes; the bucket's limit. */
export const IMAGE_MAX_BYTES = 10_000_000;

export type ImageType = 'png' | 'jpg' | 'gif';

/** The type of a picture by its first bytes; undefined for anything the product does not accept. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0xff, 0xd8, 0xff)) return 'jpg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'gif';
  return undefined;
}

/** What is wrong with a chosen picture, in words; undefined when it can be uploaded. Its name is not believed. */
export async function imageFault(file: Blob): Promise<string | undefined> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  if (!imageType(head)) return formText.imageType;
  if (file.size > IMAGE_MAX_BYTES) return imageTooLarge(file.size);
  return undefined;
}

/** The message for a picture of more than `IMAGE_MAX_BYTES`. */
export const imageTooLarge = (bytes: number): string =>
  formText.imageTooLarge({ most: megabytes(IMAGE_MAX_BYTES), size: megabytes(bytes) });

const megabytes = (bytes: number): number => bytes / 1_000_000;

type StorageSite = Pick<Site, 'endpoint' | 'projectId' | 'bucketId' | 'pictureFormat'>;

/** The address of a stored file: `view` to show it, `download` to fall back on or to save it. */
export function fileUrl(site: StorageSite, fileId: string, kind: 'view' | 'download'): string {
  return `${filePath(site, fileId)}/${kind}?project=${encodeURIComponent(site.projectId)}`;
}

export interface Preview {
  /** CSS pixels times device pixel ratio, at most 4000. */
  readonly width: number;
  /** Given, the picture is cropped to fill width × height; else it keeps its shape. */
  readonly height?: number;
  /** Default: the site's. */
  readonly output?: 'webp' | 'avif' | 'jpg' | 'png';
}

/** The address of a stored picture in another size and format. */
export function previewUrl(site: StorageSite, fileId: string, { width, height, output }: Preview): string {
  const form = `width=${width}${height ? `&height=${height}` : ''}&output=${output ?? site.pictureFormat ?? 'webp'}`;
  return `${filePath(site, fileId)}/preview?${form}&project=${encodeURIComponent(site.projectId)}`;
}

/** Widths in pixels in which pages ask for pictures, and the height of those that are cut to a shape. */
const PICTURE_WIDTHS = [320, 480, 640, 960, 1440, 1920] as const;
export const cutHeight = (width: number): number => Math.round((width * 2) / 3);
/** The picture under which a post is shared: pixels, and the shape that the networks agree on. */
export const SHARE_WIDTH = 1200;
export const SHARE_HEIGHT = 630;

/**
 * True for the previews that pages of a site ask for: nobody else can have the site make pictures in thousands of sizes.
 * `height` 0: the picture keeps its shape.
 */
export function isSitePreview({ width, height, output }: { width: number; height: number; output: string }): boolean {
  if (width === SHARE_WIDTH) return height === SHARE_HEIGHT && output === 'jpg';
  return PICTURE_WIDTHS.some((known) => known === width) && (height === 0 || height === cutHeight(width));
}

const OWN_PICTURE = /^(\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/)view(\?project=[\w.-]+)$/;
/** Of a picture in a text, in pixels: beyond it nobody sees more. */
const WIDEST_IN_TEXT = 1440;

export interface Choices {
  readonly srcSet: string;
  /** Where to look when none of them comes. */
  readonly fallback: string;
}

/**
 * For a picture of the site's own in a text: smaller forms of it, none larger than it is shown at most, in its own
 * format, so that what moves goes on moving. Undefined for other pictures, and for those that are small.
 * @param src as the text names it; @param width in pixels
 */
export function choicesFor(src: string, width: number): Choices | undefined {
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
 * The address of a picture in a text as pages name it: another site's by https, because browsers show no other on a page
 * that came by https, and the pages' policy allows no other. Pictures of this site keep theirs.
 */
export function secureAddress(src: string, siteUrl: string | undefined): string {
  if (!/^http:/i.test(src) || OF_A_BACKEND.test(src)) return src;
  if (siteUrl !== undefined && `${src}/`.startsWith(`${siteUrl}/`)) return src;
  return src.replace(/^http:/i, 'https:');
}
/** A backend that browsers go to themselves may have no https, as on the machine of a developer. */
const OF_A_BACKEND = /^http:\/\/[^/]+\/v1\/storage\/buckets\//i;

/** Ids of the bucket's files that a text shows, each once, in order. */
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

/** In place of the id of a picture that was chosen and not uploaded yet: the browser puts its own copy into a preview. */
export const UNSENT_PICTURE = 'unsent';
