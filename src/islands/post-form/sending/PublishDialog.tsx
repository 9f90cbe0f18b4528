/** The dialog that asks whether undescribed pictures may be published. */

import { pictureText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { Dialog, focusFirst } from '#components/Dialog.tsx';
import type { Question } from './use-publish-warning.ts';

export function PublishDialog({ question }: { question: Question }) {
  const { pictures, answer } = question;
  return (
    <Dialog
      open
      title={pictureText.undescribedTitle}
      description={pictureText.undescribed(pictures)}
      onClose={() => answer(false)}
      actions={
        <>
          <Button tone="quiet" onClick={() => answer(true)}>
            {pictureText.publishAnyway}
          </Button>
          <Button ref={focusFirst} onClick={() => answer(false)}>
            {pictureText.describe(pictures)}
          </Button>
        </>
      }
    />
  );
}
