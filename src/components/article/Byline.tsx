import { dayText, isoDay } from '#blog/dates.ts';
import { postText } from '#blog/messages.ts';

interface BylineProps {
  readonly author?: string | undefined;
  /** URL of the author's page. Absent in a card, because the card itself is a link. */
  readonly href?: string;
  readonly iso: string;
  readonly zone: string | undefined;
  readonly minutes?: number;
  readonly note?: string;
  readonly className?: string;
}

export function Byline({ author, href, iso, zone, minutes, note, className = 'mt-2 text-xs' }: BylineProps) {
  const date = new Date(iso);
  return (
    <p className={`byline ${className}`}>
      {author && (
        <bdi className="text-ink">
          {href ? (
            <a href={href} rel="author" className="hover:underline">
              {author}
            </a>
          ) : (
            author
          )}
        </bdi>
      )}
      {!Number.isNaN(date.getTime()) && <time dateTime={isoDay(date, zone)}>{dayText(date, zone)}</time>}
      {minutes !== undefined && <span>{postText.minutes({ minutes })}</span>}
      {note && <span className="no-print">{note}</span>}
    </p>
  );
}
