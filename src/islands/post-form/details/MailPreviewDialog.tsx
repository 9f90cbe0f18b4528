import { useEffect } from 'react';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { peopleText } from '#blog/messages/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { changeNewsletter } from '#stores/newsletter.ts';
import { postIntoFrame } from '../../post-into-frame.ts';
import { useWork } from '../../use-work.ts';

const FRAME = 'mail-preview';

interface MailPreviewDialogProps {
  readonly slug: string;
  /** Only owners may send themselves a test email. */
  readonly isOwner: boolean;
  readonly onClose: () => void;
}

/** Shows the newsletter email for a stored post in a frame that runs no scripts. */
export function MailPreviewDialog({ slug, isOwner, onClose }: MailPreviewDialogProps) {
  const work = useWork(newsletterMessage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the dialog is shown.
  useEffect(() => void work.run('load', () => postIntoFrame(FRAME, '/api/newsletter/preview', { slug })), [slug]);
  const sendTest = async () => {
    const { isDone } = await changeNewsletter<{ isDone: boolean }>({ action: 'test', slug });
    if (!isDone) throw new Error(newsletterText.testFailed);
  };
  return (
    <Dialog
      wide
      title={newsletterText.previewMail}
      description={newsletterText.previewHelp}
      onClose={onClose}
      actions={
        <>
          <p role="status" className="min-w-0 flex-1 text-sm text-soft">
            {work.said}
          </p>
          {isOwner && (
            <Button
              tone="quiet"
              busy={work.busy === 'test'}
              onClick={() => void work.run('test', sendTest, newsletterText.testSent)}
            >
              {newsletterText.sendTest}
            </Button>
          )}
          <Button ref={focusFirst} onClick={onClose}>
            {peopleText.close}
          </Button>
        </>
      }
    >
      <Banner message={work.failure} className="mb-4 empty:hidden" />
      <iframe
        name={FRAME}
        title={newsletterText.previewMail}
        sandbox="allow-same-origin"
        className="block h-[68dvh] w-full border border-hairline bg-white"
      />
    </Dialog>
  );
}
