import { sendingText } from '#blog/messages/sending.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';

/** Asks whether to publish the post even though `pictures` pictures in its text have no description. */
export function PublishDialog({ pictures, answer }: { pictures: number; answer: (publish: boolean) => void }) {
  return (
    <Dialog
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
