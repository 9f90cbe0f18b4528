/** The question before a text with pictures that nobody described is published. */

import { pictureText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { Dialog } from '#components/Dialog.tsx';
import type { Question } from './use-publish-warning.ts';

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
