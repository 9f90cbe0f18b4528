/** The end of a page where nothing is: home after some seconds, said aloud, unless the reader wants to stay. */

/** `place` names the seconds in `data-lost` and the words in `data-going` and `data-staying`; in it are a `role="status"` that is told and a button that stays. */
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
  // A reader who is searching stays on the page.
  document.forms[0]?.addEventListener('focusin', remain, { once: true });
}
