/** The way through the list pages: newer, where one is, older. */
import { listText } from '#blog/messages.ts';
import { Icon } from './Icon.tsx';

/** The address of page `n` of the list at `list`; without one the list of all posts, which begins at home. */
const pagePath = (n: number, list = ''): string => (n <= 1 ? list || '/' : `${list}/page/${n}`);

export function Pagination({ page, pages, list }: { page: number; pages: number; list?: string }) {
  if (pages <= 1) return null;
  const step = 'inline-flex min-h-11 items-center gap-2 font-medium text-accent hover:text-accent-strong';
  return (
    <nav
      aria-label={listText.pages}
      className="mt-16 grid grid-cols-[1fr_auto_1fr] items-center gap-4 border-t border-hairline pt-6 text-base"
    >
      <span>
        {page > 1 && (
          <a href={pagePath(page - 1, list)} rel="prev" aria-label={listText.newerPosts} className={step}>
            <Icon name="arrow-left" /> {listText.newer}
          </a>
        )}
      </span>
      <span aria-current="page" className="text-sm text-soft">
        {listText.position(page, pages)}
      </span>
      <span className="text-end">
        {page < pages && (
          <a href={pagePath(page + 1, list)} rel="next" aria-label={listText.olderPosts} className={step}>
            {listText.older} <Icon name="arrow-right" />
          </a>
        )}
      </span>
    </nav>
  );
}
