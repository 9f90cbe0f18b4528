/**
 * A post's picture in a list, cut to the frame. It asks for a preview of the right size; when that fails, the page's
 * script (of public and island pages alike) falls back to the stored file, its download address, the empty frame:
 * `image-fallback.ts`.
 */
import { cutHeight, fileUrl, previewUrl } from '#blog/images.ts';
import type { Site } from '#blog/site.ts';

interface FeaturedImageProps {
  readonly site: Site;
  /** Id of a stored file. */
  readonly fileId: string;
  /** `sizes` of the picture: how wide it is shown. */
  readonly sizes: string;
  /** Widths in pixels to choose from. */
  readonly widths?: readonly number[];
  /** For the picture that is on the screen first. */
  readonly priority?: boolean;
  readonly alt?: string | undefined;
  readonly className?: string;
}

const CARD_WIDTHS = [320, 480, 640, 960] as const;

export function FeaturedImage({
  site,
  fileId,
  sizes,
  widths = CARD_WIDTHS,
  priority = false,
  alt = '',
  className = '',
}: FeaturedImageProps) {
  const preview = (width: number) => previewUrl(site, fileId, { width, height: cutHeight(width) });
  const middle = widths[Math.floor(widths.length / 2)] ?? 640;
  return (
    <div className={`picture ${className}`}>
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
