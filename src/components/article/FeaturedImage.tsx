/**
 * A post's picture in a list, cropped to its frame. If the preview fails, `image-fallback.ts` tries the stored file,
 * then
 * its download address, then leaves the frame empty.
 */
import { cutHeight, fileUrl, previewUrl } from '#blog/images.ts';
import type { Site } from '#blog/site.ts';

interface FeaturedImageProps {
  readonly site: Site;
  readonly fileId: string;
  readonly sizes: string;
  readonly widths?: readonly number[];
  /** True for a picture in the initial viewport. */
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
