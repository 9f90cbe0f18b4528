import { useEffect, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { isModerator, type SiteState } from '#blog/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { siteState } from '#stores/people.ts';
import { Guard } from '../guard/Guard.tsx';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { useWindowEvent } from '../use-window-event.ts';
import { Import } from './Import.tsx';
import { People } from './People.tsx';
import { Posts } from './Posts.tsx';
import { stepNow } from './settings/first-steps.ts';
import { SettingsPart } from './settings/SettingsPart.tsx';
import { Start } from './settings/Start.tsx';
import { Tags } from './Tags.tsx';
import { WhoWrites } from './WhoWrites.tsx';

export default function Site() {
  return (
    <Guard access="signed-in">
      <SitePage />
    </Guard>
  );
}

const SubscribersPart = lazyPart(() => import('./subscribers/SubscribersPart.tsx'), 'SubscribersPart');

const PARTS = ['people', 'posts', 'tags', 'settings', 'subscribers', 'writing', 'import'] as const;
const OWNERS: ReadonlySet<string> = new Set(['settings', 'subscribers', 'import']);
type Part = (typeof PARTS)[number];

const partOf = (hash: string): Part => PARTS.find((part) => `#${part}` === hash) ?? 'people';

function SitePage() {
  const [state, setState] = useState<SiteState>();
  const [failure, setFailure] = useState('');
  const [part, setPart] = useState(() => partOf(location.hash));
  const [isStart, setStart] = useState(() => stepNow() !== undefined);

  const load = () => {
    setFailure('');
    return siteState().then(setState, (error: unknown) => setFailure(peopleMessage(error)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the page is shown.
  useEffect(() => void load(), []);
  useWindowEvent('hashchange', () => setPart(partOf(location.hash)));

  return (
    <div className="mx-auto w-full max-w-wide px-4 py-10 sm:py-14">
      <h1 className="text-3xl">{peopleText.title}</h1>
      <Banner message={failure} className="mt-8 empty:hidden" />
      {failure && (
        <Button tone="quiet" className="mt-4" onClick={() => void load()}>
          {peopleText.retry}
        </Button>
      )}
      {!state && !failure && <Spinner label={peopleText.loading} className="py-16" />}
      {state && !isModerator(state.role) && <p className="mt-6 text-base text-soft">{peopleText.notAllowed}</p>}
      {state?.role === 'owner' && isStart && <Start site={state} onSite={setState} onEnd={() => setStart(false)} />}
      {state && isModerator(state.role) && !(isStart && state.role === 'owner') && (
        <>
          <nav aria-label={peopleText.parts} className="-mx-2 mt-5 mb-8 flex flex-wrap border-b border-hairline pb-2">
            {PARTS.filter((each) => !OWNERS.has(each) || state.role === 'owner').map((each) => (
              <a key={each} href={`#${each}`} className="nav-link" aria-current={each === part ? 'page' : undefined}>
                {peopleText[each]}
              </a>
            ))}
          </nav>
          {part === 'people' && <People isOwner={state.role === 'owner'} />}
          {part === 'posts' && <Posts />}
          {part === 'tags' && <Tags />}
          {part === 'settings' && state.role === 'owner' && <SettingsPart />}
          {part === 'subscribers' && state.role === 'owner' && <SubscribersPart />}
          {part === 'import' && state.role === 'owner' && <Import />}
          {part === 'writing' && <WhoWrites state={state} onChanged={setState} />}
        </>
      )}
    </div>
  );
}
