/** Links to the site page, for owners and editors. */
import { useEffect, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { isModerator } from '#blog/people.ts';
import { MANAGE } from '#blog/routes/paths.ts';
import { siteState } from '#stores/people.ts';

export function SiteLink() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    siteState().then(
      ({ role }) => setShown(isModerator(role)),
      () => undefined,
    );
  }, []);
  if (!isShown) return null;
  return (
    <div className="mt-4 text-base text-soft">
      <a
        href={MANAGE}
        className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4"
      >
        {peopleText.lookAfter}
      </a>
      <p>{peopleText.lookAfterHelp}</p>
    </div>
  );
}
