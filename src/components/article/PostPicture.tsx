/**
 * The picture above a post's text, uncropped and never enlarged. A 3:2 frame reserves space for a picture of unknown
 * size.
 */
import { fileUrl, previewUrl } from '#blog/images.ts';
import { postText } from '#blog/messages.ts';
import { sizeInId } from '#blog/pictures/file-id.ts';
import type { Site } from '#blog/site.ts';

const WIDTHS = [480, 960, 1440] as const;
const UNKNOWN = { width: 960, height: 640 } as const;

export function PostPicture({ site, fileId, alt = '' }: { site: Site; fileId: string; alt?: string | undefined }) {
  const size = sizeInId(fileId);
  // Ends at the first width that is not smaller than the picture: full size, in a better format.
  const widths = WIDTHS.filter((_, index) => !size || index === 0 || (WIDTHS[index - 1] ?? 0) < size.width);
  const preview = (width: number) => previewUrl(site, fileId, { width });
  return (
    <div className="post-picture" data-empty={postText.noImage}>
      <img
        src={preview(widths[1] ?? widths[0] ?? 960)}
        srcSet={widths.map((width) => `${preview(width)} ${width}w`).join(', ')}
        sizes="(min-width:52rem) 46.8rem,92vw"
        {...(size ?? UNKNOWN)}
        data-framed={size ? undefined : ''}
        alt={alt}
        fetchPriority="high"
        decoding="async"
        data-fallback={`${fileUrl(site, fileId, 'view')} ${fileUrl(site, fileId, 'download')}`}
      />
    </div>
  );
}
