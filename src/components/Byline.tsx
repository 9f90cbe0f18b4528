/** author · date · reading time, as far as they are known. */
import { PublishedDate } from './PublishedDate.tsx';

interface BylineProps {
  readonly author?: string | undefined;
  readonly iso: string;
  /** Reading time. */
  readonly minutes?: number;
  readonly className?: string;
}

export function Byline({ author, iso, minutes, className = 'mt-2 text-xs' }: BylineProps) {
  return (
    <p className={`byline ${className}`}>
      {author && <bdi className="text-ink">{author}</bdi>}
      <PublishedDate iso={iso} />
      {minutes !== undefined && <span>{minutes} min read</span>}
    </p>
  );
}
