import { useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { newsletterText } from '#blog/messages/newsletter.ts';
import { detailText } from '#blog/messages/post-details.ts';
import type { FormValues, Post } from '#blog/post.ts';
import { Button } from '#components/controls/Button.tsx';
import { useSiteRole } from '../../use-site-role.ts';
import { MailPreviewDialog } from './MailPreviewDialog.tsx';

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
