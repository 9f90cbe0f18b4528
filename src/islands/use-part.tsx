import { useEffect, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { useWork } from './use-work.ts';

/** Loads the state of one part of the page. Until it is loaded, render `waiting`: a spinner or a retry button. */
export function usePart<State>(load: () => Promise<State>, message: (error: unknown) => string) {
  const [state, setState] = useState<State>();
  // Stays true during the next attempt, so that the retry button keeps its place and its focus.
  const [hasFailed, setHasFailed] = useState(false);
  const work = useWork(message);
  const begin = async () => setHasFailed(!(await work.run('load', async () => setState(await load()))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the part is shown.
  useEffect(() => void begin(), []);
  const waiting = (
    <>
      <Banner message={work.failure} />
      {hasFailed ? (
        <Button tone="quiet" className="mt-4" busy={work.busy === 'load'} onClick={() => void begin()}>
          {peopleText.retry}
        </Button>
      ) : (
        <Spinner label={peopleText.loading} className="py-16" />
      )}
    </>
  );
  return { state, setState, work, waiting };
}
