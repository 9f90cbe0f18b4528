import { paginationText } from '#blog/messages/pages.ts';
import { HOME, pagePath } from '#blog/routes/paths.ts';
import { Icon } from '../icons/Icon.tsx';

export function Pagination({ page, pages, list = HOME }: { page: number; pages: number; list?: string }) {
  if (pages <= 1) return null;
  const step = 'inline-flex min-h-11 items-center gap-2 font-medium text-accent hover:text-accent-strong';
  return (
    <nav
      aria-label={paginationText.pages}
      className="mt-16 grid grid-cols-[1fr_auto_1fr] items-center gap-4 border-t border-hairline pt-6 text-base"
    >
      <span>
        {page > 1 && (
          <a href={pagePath(list, page - 1)} rel="prev" aria-label={paginationText.newerPosts} className={step}>
            <Icon name="arrow-left" /> {paginationText.newer}
          </a>
        )}
      </span>
      <span aria-current="page" className="text-sm text-soft">
        {paginationText.position({ page, pages })}
      </span>
      <span className="text-end">
        {page < pages && (
          <a href={pagePath(list, page + 1)} rel="next" aria-label={paginationText.olderPosts} className={step}>
            {paginationText.older} <Icon name="arrow-right" />
          </a>
        )}
      </span>
    </nav>
  );
}
