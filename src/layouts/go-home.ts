/**
 * Announces the redirect home and does it after some seconds, unless the reader chooses to stay. `place` has the
 * seconds in `data-lost`, the texts in `data-going` and `data-staying`, a `role="status"` element and a button to
 * stay.
 */
export function goHomeSoon(place: HTMLElement): void {
  const [status, stay] = ['[role=status]', 'button'].map((part) => place.querySelector<HTMLElement>(part));
  if (!status || !stay) return;
  const say = (text = '') => {
    status.textContent = text;
  };
  stay.hidden = false;
  say(place.dataset.going);
  const timer = setTimeout(() => location.assign('/'), Number(place.dataset.lost) * 1000);
  const remain = () => {
    clearTimeout(timer);
    stay.hidden = true;
    say(place.dataset.staying);
  };
  stay.addEventListener('click', remain);
  // Using the search cancels the redirect.
  document.forms[0]?.addEventListener('focusin', remain, { once: true });
}
