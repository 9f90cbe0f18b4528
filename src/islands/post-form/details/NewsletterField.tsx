import { useEffect, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { peopleText } from '#blog/messages/people.ts';
import { detailText } from '#blog/messages/post-details.ts';
import type { FormValues, Post } from '#blog/post.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { changeNewsletter } from '#stores/newsletter.ts';
import { postIntoFrame } from '../../post-into-frame.ts';
import { useSiteRole } from '../../use-site-role.ts';
import { useWork } from '../../use-work.ts';

interface NewsletterFieldProps {
  readonly value: FormValues['newsletter'];
  /** The stored post, whose email can be previewed; undefined for a new post. */
  readonly post: Post | undefined;
  readonly userId: string;
  readonly frozen: boolean;
  readonly onChange: (change: Pick<FormValues, 'newsletter'>) => void;
}

/** Shown only to members of the site, because posts by other writers do not go to subscribers. */
export function NewsletterField({ value, post, userId, frozen, onChange }: NewsletterFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const role = useSiteRole(userId);
  if (!role) return null;
  return (
    <div inert={frozen}>
      <label className="flex items-start gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          checked={value === 'send'}
          aria-describedby={id}
          onChange={({ currentTarget }) => onChange({ newsletter: currentTarget.checked ? 'send' : '' })}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        {detailText.newsletter}
      </label>
      <p id={id} className="mt-1.5 text-xs text-soft">
        {detailText.newsletterHelp}
      </p>
      {post && (
        <Button tone="quiet" className="mt-2 w-full" onClick={() => setOpen(true)}>
          {newsletterText.previewMail}
        </Button>
      )}
      {post &&
        isOpen &&
        // The portal is outside the form, so that the dialog's buttons are not part of the post's form.
        createPortal(
          <MailPreviewDialog slug={post.id} isOwner={role === 'owner'} onClose={() => setOpen(false)} />,
          document.body,
        )}
    </div>
  );
}

const FRAME = 'mail-preview';

interface MailPreviewDialogProps {
  readonly slug: string;
  /** Only owners may send themselves a test email. */
  readonly isOwner: boolean;
  readonly onClose: () => void;
}

/** Shows the newsletter email for a stored post in a frame that runs no scripts. */
function MailPreviewDialog({ slug, isOwner, onClose }: MailPreviewDialogProps) {
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
