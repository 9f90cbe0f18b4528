/** The way through the list pages: newer, where one is, older. */
import { Icon } from './Icon.tsx';

/** The address of list page `n`; the first is the home page. */
export const pagePath = (n: number): string => (n <= 1 ? '/' : `/page/${n}`);

export function Pagination({ page, pages }: { page: number; pages: number }) {
  if (pages <= 1) return null;
  const step = 'inline-flex min-h-11 items-center gap-2 font-medium text-accent hover:text-accent-strong';
  return (
    <nav
      aria-label="Pages"
      className="mt-16 grid grid-cols-[1fr_auto_1fr] items-center gap-4 border-t border-hairline pt-6 text-base"
    >
      <span>
        {page > 1 && (
          <a href={pagePath(page - 1)} rel="prev" className={step}>
            <Icon name="arrow-left" /> Newer <span className="sr-only">posts</span>
          </a>
        )}
      </span>
      <span aria-current="page" className="text-sm text-soft">
        Page {page} of {pages}
      </span>
      <span className="text-end">
        {page < pages && (
          <a href={pagePath(page + 1)} rel="next" className={step}>
            Older <span className="sr-only">posts</span> <Icon name="arrow-right" />
          </a>
        )}
      </span>
    </nav>
  );
}
