import { useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { isModerator } from '#blog/people.ts';
import { siteState } from '#stores/people.ts';
import { Guard } from '../guard/Guard.tsx';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { usePart } from '../use-part.tsx';
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
  const { state, setState, waiting } = usePart(siteState, peopleMessage);
  const [part, setPart] = useState(() => partOf(location.hash));
  const [isStart, setStart] = useState(() => stepNow() !== undefined);

  useWindowEvent('hashchange', () => setPart(partOf(location.hash)));

  return (
    <div className="mx-auto w-full max-w-wide px-4 py-10 sm:py-14">
      <h1 className="text-3xl">{peopleText.title}</h1>
      {!state && <div className="mt-8">{waiting}</div>}
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
