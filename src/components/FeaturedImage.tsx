/**
 * A post's picture in its frame. It asks for a preview of the right size; when that fails, the page's script (of public
 * and island pages alike) falls back to the stored file, its download address, the empty frame: `image-fallback.ts`.
 */
import { cutHeight, fileUrl, previewUrl } from '#blog/images.ts';
import type { Site } from '#blog/site.ts';

interface FeaturedImageProps {
  readonly site: Site;
  /** Id of a stored file; empty when there is none. */
  readonly fileId: string;
  /** Said in the frame when there is nothing to show. Give this, or `title`. */
  readonly empty?: string;
  /** Of the post: its initial stands on the plate when there is no picture. */
  readonly title?: string;
  /** `sizes` of the picture: how wide it is shown. */
  readonly sizes: string;
  /** Widths in pixels to choose from. */
  readonly widths?: readonly number[];
  /** For the picture that is on the screen first. */
  readonly priority?: boolean;
  readonly alt?: string;
  readonly className?: string;
}

const CARD_WIDTHS = [320, 480, 640, 960] as const;
/** The first letter or digit, whatever the script. */
const initialOf = (title: string): string => /[\p{L}\p{N}]\p{M}*/u.exec(title)?.[0].toUpperCase() ?? '';

export function FeaturedImage({
  site,
  fileId,
  empty,
  title,
  sizes,
  widths = CARD_WIDTHS,
  priority = false,
  alt = '',
  className = '',
}: FeaturedImageProps) {
  if (!fileId) {
    return (
      <div className={`picture ${className}`}>
        {empty ? <span className="text-sm">{empty}</span> : title && <i aria-hidden="true">{initialOf(title)}</i>}
      </div>
    );
  }
  const preview = (width: number) => previewUrl(site, fileId, { width, height: cutHeight(width) });
  const middle = widths[Math.floor(widths.length / 2)] ?? 640;
  return (
    <div className={`picture ${className}`} data-empty={empty}>
      <img
        src={preview(middle)}
        srcSet={widths.map((width) => `${preview(width)} ${width}w`).join(', ')}
        sizes={sizes}
        width={middle}
        height={cutHeight(middle)}
        alt={alt}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : undefined}
        decoding="async"
        data-fallback={`${fileUrl(site, fileId, 'view')} ${fileUrl(site, fileId, 'download')}`}
      />
    </div>
  );
}
