import { useEffect, useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { useWork } from './use-work.ts';

/** Loads the state of one part of the page. Render `waiting` until it is loaded: a spinner, or the failure with a retry button. */
export function usePart<State>(load: () => Promise<State>, message: (error: unknown) => string) {
  const [state, setState] = useState<State>();
  const work = useWork(message);
  const begin = () => work.run('load', async () => setState(await load()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the part is shown.
  useEffect(() => void begin(), []);
  const waiting = work.failure ? (
    <>
      <Banner message={work.failure} />
      <Button tone="quiet" className="mt-4" onClick={() => void begin()}>
        {peopleText.retry}
      </Button>
    </>
  ) : (
    <Spinner label={peopleText.loading} className="py-16" />
  );
  return { state, setState, work, waiting };
}
