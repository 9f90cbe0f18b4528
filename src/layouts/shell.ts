/** The script that every page includes. It loads `session.ts` only in a signed-in browser. */
import { reloadFailedLoads } from './reload-once.ts';

const root = document.documentElement;
const find = (selector: string) => document.querySelector<HTMLElement>(selector);

const toggle = find('[data-theme-toggle]');
const colour = find('[name=theme-color]');
const followTheme = () => {
  const isDark = root.classList.contains('dark');
  toggle?.setAttribute('aria-pressed', `${isDark}`);
  const { light = '', dark = '' } = colour?.dataset ?? {};
  colour?.setAttribute('content', isDark ? dark : light);
};
followTheme();
new MutationObserver(followTheme).observe(root, { attributeFilter: ['class'] });
toggle?.addEventListener('click', () => {
  const dark = root.classList.toggle('dark');
  try {
    localStorage.setItem('common-ink:theme', dark ? 'dark' : 'light');
  } catch {
    // Without storage, the theme lasts for this page only.
  }
});
addEventListener(
  'storage',
  ({ key, newValue }) => key === 'common-ink:theme' && root.classList.toggle('dark', newValue === 'dark'),
);

find('[data-top]')?.addEventListener('click', () => scrollTo({ top: 0 }));
find('[data-reload]')?.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});

// Captures error events, because those of images do not bubble. Images that failed before this script ran are found by
// their lack of a natural size.
addEventListener(
  'error',
  (event) => event.target instanceof HTMLImageElement && fallBackToDownload(event.target),
  true,
);
for (const image of document.images) {
  if (image.complete && !image.naturalWidth && image.dataset.fallback) fallBackToDownload(image);
}

reloadFailedLoads();
const lost = find('[data-lost]');
const stayGuest = () => {
  delete root.dataset.session;
  if (lost) goHomeSoon(lost);
};
if ('session' in root.dataset) {
  import('./session.ts')
    .then(({ mountIslands }) => mountIslands())
    .then(
      (found) => {
        root.dispatchEvent(new Event('common-ink:loaded', { bubbles: true }));
        if (lost && !found) stayGuest();
      },
      () => {
        find('[data-session-nav]')?.dispatchEvent(new Event('common-ink:load-failed', { bubbles: true }));
        stayGuest();
      },
    );
} else {
  stayGuest();
  const follow = () => void import('./session.ts').then(({ mountIslands }) => mountIslands());
  addEventListener('common-ink:signed-in', follow, { once: true });
}

function goHomeSoon(place: HTMLElement): void {
  const [status, stay] = ['[role=status]', 'button'].map((part) => place.querySelector<HTMLElement>(part));
  if (!status || !stay) return;
  const { lost: seconds, going = '', staying = '' } = place.dataset;
  stay.hidden = false;
  status.textContent = going;
  const timer = setTimeout(() => location.assign('/'), Number(seconds) * 1000);
  const remain = () => {
    clearTimeout(timer);
    stay.hidden = true;
    status.textContent = staying;
  };
  stay.addEventListener('click', remain);
  // Focusing the search field also cancels the redirect.
  document.forms[0]?.addEventListener('focusin', remain, { once: true });
}

/** Tries the next URL in `data-fallback` for a picture that failed to load, and sets `data-lost` if none is left. */
function fallBackToDownload(image: HTMLImageElement): void {
  const { fallback } = image.dataset;
  if (fallback === undefined) return;
  const [next, ...rest] = fallback.split(' ');
  if (next) {
    image.dataset.fallback = rest.join(' ');
    image.removeAttribute('srcset');
    image.src = next;
    return;
  }
  image.hidden = !image.alt;
  image.dataset.lost = '';
}
