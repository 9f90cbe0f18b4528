import { type ReactNode, useRef, useState } from 'react';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import type { Question } from './PublishDialog.tsx';

const PublishDialog = lazyPart(() => import('./PublishDialog.tsx'), 'PublishDialog');

export interface PublishWarning {
  /** Resolves to true if all pictures are described, or the writer agrees or agreed earlier. */
  readonly mayPublish: (undescribed: number) => Promise<boolean>;
  readonly dialog: ReactNode;
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
  // If the dialog cannot be loaded, the post is published without it.
  const dialog = question ? <PublishDialog question={question} onFault={() => question.answer(true)} /> : null;
  return { mayPublish, dialog };
}
