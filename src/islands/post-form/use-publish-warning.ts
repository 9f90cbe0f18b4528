/** Asked before a text with pictures that nobody described is published. */

import { type ComponentType, useRef, useState } from 'react';
import { usePart } from './editor/use-part.ts';

export interface Question {
  readonly pictures: number;
  readonly answer: (publish: boolean) => void;
}

export interface PublishWarning {
  /** True at once when there is nothing to warn of, or when the writer has said so before; else what he answers. */
  readonly mayPublish: (undescribed: number) => Promise<boolean>;
  readonly question: Question | undefined;
  /** Loaded when it is first asked; there while it is. */
  readonly Dialog: ComponentType<{ question: Question }> | undefined;
}

export function usePublishWarning(): PublishWarning {
  const [question, setQuestion] = useState<Question>();
  const accepted = useRef(0);
  const mayPublish = (pictures: number) =>
    pictures <= accepted.current
      ? Promise.resolve(true)
      : new Promise<boolean>((resolve) => {
          const answer = (publish: boolean) => {
            if (publish) accepted.current = pictures;
            setQuestion(undefined);
            resolve(publish);
          };
          setQuestion({ pictures, answer });
        });
  const { Part: Dialog } = usePart(
    question !== undefined,
    () => import('./PublishDialog.tsx'),
    'PublishDialog',
    // A reminder that does not come is no reason not to publish.
    () => question?.answer(true),
  );
  return { mayPublish, question, Dialog };
}
