import { sendingText } from '#blog/messages/sending.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';

export interface Question {
  /** Number of pictures without a description. */
  readonly pictures: number;
  readonly answer: (publish: boolean) => void;
}

export function PublishDialog({ question }: { question: Question }) {
  const { pictures, answer } = question;
  return (
    <Dialog
      open
      title={sendingText.undescribedTitle}
      description={sendingText.undescribed({ count: pictures })}
      onClose={() => answer(false)}
      actions={
        <>
          <Button tone="quiet" onClick={() => answer(true)}>
            {sendingText.publishAnyway}
          </Button>
          <Button ref={focusFirst} onClick={() => answer(false)}>
            {sendingText.describe({ count: pictures })}
          </Button>
        </>
      }
    />
  );
}
