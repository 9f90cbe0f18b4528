/** Asks before a text with undescribed pictures is published. */

import { type ComponentType, useRef, useState } from 'react';
import { useLazyComponent } from '../lazy/use-lazy-component.ts';
import type { Question } from './PublishDialog.tsx';

export interface PublishWarning {
  /**
   * Resolves to true if the post may be published: nothing is undescribed, the writer has agreed before, or agrees now.
   */
  readonly mayPublish: (undescribed: number) => Promise<boolean>;
  readonly question: Question | undefined;
  /** The dialog, loaded when it is first needed. */
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
  const { Component: Dialog } = useLazyComponent(
    question !== undefined,
    () => import('./PublishDialog.tsx'),
    'PublishDialog',
    // If the dialog cannot be loaded, the post is published without it.
    () => question?.answer(true),
  );
  return { mayPublish, question, Dialog };
}
