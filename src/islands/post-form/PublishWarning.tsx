/** Asked before a text with pictures that nobody described is published. */

import { useRef, useState } from 'react';
import { pictureText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { Dialog } from '#components/Dialog.tsx';

interface Question {
  readonly pictures: number;
  readonly answer: (publish: boolean) => void;
}

export interface PublishWarning {
  /** True at once when there is nothing to warn of, or when the writer has said so before; else what he answers. */
  readonly mayPublish: (undescribed: number) => Promise<boolean>;
  readonly question: Question | undefined;
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
  return { mayPublish, question };
}

export function PublishDialog({ question }: { question: Question | undefined }) {
  const pictures = question?.pictures ?? 0;
  return (
    <Dialog
      open={question !== undefined}
      title={pictureText.undescribedTitle}
      description={pictureText.undescribed(pictures)}
      onClose={() => question?.answer(false)}
      actions={
        <>
          <Button tone="quiet" onClick={() => question?.answer(true)}>
            {pictureText.publishAnyway}
          </Button>
          <Button autoFocus onClick={() => question?.answer(false)}>
            {pictureText.describe(pictures)}
          </Button>
        </>
      }
    />
  );
}
