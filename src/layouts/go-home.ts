/** The end of a page where nothing is: home after five seconds, said aloud, unless the reader wants to stay. */

const SECONDS = 5;

/** `place` holds a `role="status"` that is told, and a button that stays. */
export function goHomeSoon(place: HTMLElement): void {
  const [status, stay] = ['[role=status]', 'button'].map((part) => place.querySelector<HTMLElement>(part));
  if (!status || !stay) return;
  const say = (text: string) => {
    status.textContent = text;
  };
  stay.hidden = false;
  say(`Taking you to the home page in ${SECONDS} seconds.`);
  const timer = setTimeout(() => location.assign('/'), SECONDS * 1000);
  stay.addEventListener('click', () => {
    clearTimeout(timer);
    stay.hidden = true;
    say('You are staying here.');
  });
}
