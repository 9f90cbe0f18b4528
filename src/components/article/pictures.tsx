import { cutHeight, fileUrl, previewUrl } from '#blog/images.ts';
import { postText } from '#blog/messages.ts';
import { sizeInId } from '#blog/pictures/file-id.ts';
import type { Site } from '#blog/site.ts';

/** If no preview loads, `layouts/shell.ts` tries the stored file, then its download URL. */
const sources = (site: Site, fileId: string, widths: readonly number[], preview: (width: number) => string) => ({
  srcSet: widths.map((width) => `${preview(width)} ${width}w`).join(', '),
  decoding: 'async' as const,
  'data-fallback': `${fileUrl(site, fileId, 'view')} ${fileUrl(site, fileId, 'download')}`,
});

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

/** A post's picture in a list, cropped to the shape of its frame. */
export function FeaturedImage(props: FeaturedImageProps) {
  const { site, fileId, sizes, widths = CARD_WIDTHS, priority = false, alt = '', className = '' } = props;
  const preview = (width: number) => previewUrl(site, fileId, { width, height: cutHeight(width) });
  const middle = widths[Math.floor(widths.length / 2)] ?? 640;
  return (
    <div className={`picture ${className}`}>
      <img
        src={preview(middle)}
        {...sources(site, fileId, widths, preview)}
        sizes={sizes}
        width={middle}
        height={cutHeight(middle)}
        alt={alt}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : undefined}
      />
    </div>
  );
}

const WIDTHS = [480, 960, 1440] as const;
const UNKNOWN = { width: 960, height: 640 } as const;

interface PostPictureProps {
  readonly site: Site;
  readonly fileId: string;
  readonly alt?: string | undefined;
  /** True if the look shows the picture wider than the text. */
  readonly isWide?: boolean;
}

/** The picture above a post's text, never enlarged. For a picture of unknown size, a 3:2 frame reserves space. */
export function PostPicture({ site, fileId, alt = '', isWide = false }: PostPictureProps) {
  const size = sizeInId(fileId);
  // Keeps the widths up to the first that is at least the picture's own. That preview has the full size, in a better
  // format than the original.
  const widths = WIDTHS.filter((_, index) => !size || index === 0 || (WIDTHS[index - 1] ?? 0) < size.width);
  const preview = (width: number) => previewUrl(site, fileId, { width });
  return (
    <div className="post-picture" data-empty={postText.noImage}>
      <img
        src={preview(widths[1] ?? widths[0] ?? 960)}
        {...sources(site, fileId, widths, preview)}
        sizes={isWide ? '(min-width:80rem) 80rem,92vw' : '(min-width:52rem) 46.8rem,92vw'}
        {...(size ?? UNKNOWN)}
        data-framed={size ? undefined : ''}
        alt={alt}
        fetchPriority="high"
      />
    </div>
  );
}
