/** `DifferenceOf`, loaded when it is first shown: a part of the writer's screen that most visits do not need. */

import type { ComponentProps } from 'react';
import { postFormText } from '#blog/messages.ts';
import { Spinner } from '#components/Spinner.tsx';
import { usePart } from '../editor/use-part.ts';
import { TryAgain } from '../TryAgain.tsx';

export function LazyDifference(props: ComponentProps<typeof import('./Difference.tsx').DifferenceOf>) {
  const { Part, again } = usePart(true, () => import('./Difference.tsx'), 'DifferenceOf');
  if (Part) return <Part {...props} />;
  if (again) return <TryAgain onAgain={again} />;
  return <Spinner label={postFormText.loading} />;
}
