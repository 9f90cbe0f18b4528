/** `DifferenceOf`, loaded when it is first shown: a part of the writer's screen that most visits do not need. */

import { type ComponentProps, useEffect, useState } from 'react';
import { errorText, listText, postFormText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { Spinner } from '#components/Spinner.tsx';

type Loaded = typeof import('./Difference.tsx').DifferenceOf;

export function LazyDifference(props: ComponentProps<Loaded>) {
  const [Shown, setShown] = useState<Loaded>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is the reason to load again.
  useEffect(() => {
    setFailed(false);
    import('./Difference.tsx').then(
      ({ DifferenceOf }) => setShown(() => DifferenceOf),
      (error: unknown) => {
        console.error('The difference could not be loaded:', error);
        setFailed(true);
      },
    );
  }, [attempt]);
  if (Shown) return <Shown {...props} />;
  if (!failed) return <Spinner label={postFormText.loading} />;
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p>{errorText.unreachable}</p>
      <Button tone="quiet" onClick={() => setAttempt(attempt + 1)}>
        {listText.retry}
      </Button>
    </div>
  );
}
