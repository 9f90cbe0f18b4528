import { UNSENT_PICTURE } from '#blog/images.ts';
import { $theme } from '#stores/theme.ts';

/**
 * Returns the page without scripts, in the current theme, with links that open outside the frame. `picture` is the
 * address of a featured image that is not uploaded yet.
 */
export function pageForFrame(html: string, picture: string | undefined): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const script of page.querySelectorAll('script, link[rel=modulepreload]')) script.remove();
  followTheme(page);
  for (const link of page.querySelectorAll('a[href]:not([href^="#"])')) link.setAttribute('target', '_blank');
  const image = page.querySelector(`img[data-fallback*="/files/${UNSENT_PICTURE}/"]`);
  if (picture) image?.setAttribute('src', picture);
  image?.removeAttribute('srcset');
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

export function followTheme(page: Document): void {
  page.documentElement.classList.toggle('dark', $theme.get() === 'dark');
}

/** Makes links within the page scroll, because their base address differs from the frame's. */
export function connectFrame(page: Document): void {
  page.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    page.getElementById(decodeURIComponent(link.getAttribute('href')?.slice(1) ?? ''))?.scrollIntoView();
  });
}
