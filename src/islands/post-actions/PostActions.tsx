/** Edit and Delete for a post's author (spec 2, "Post view"; 4, "Delete"). */

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { deletePostText } from '#blog/messages/delete-post.ts';
import { deleteMessage, postText } from '#blog/messages.ts';
import { editPostPath, MANAGE } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { $auth, checkUser, requireSession } from '#stores/account/auth.ts';
import { deletePost, findPost } from '#stores/posts/post-actions.ts';
import { TextLink } from '../TextLink.tsx';
import { useSiteRole } from '../use-site-role.ts';
import { useWork } from '../use-work.ts';

interface PostActionsProps {
  readonly slug: string;
  readonly userId: string;
  /** True for a page, not a post. An author who owns the site then gets a link to the navigation settings. */
  readonly isPage?: boolean;
}

export function PostActions({ slug, userId, isPage = false }: PostActionsProps) {
  const { user } = useStore($auth);
  const [asking, setAsking] = useState(false);
  const { busy, failure, run } = useWork(deleteMessage);
  useEffect(() => void checkUser(), []);
  const isAuthor = user?.id === userId;
  const mayPlace = useSiteRole(isPage && isAuthor ? userId : undefined) === 'owner';
  if (asking && !isAuthor) setAsking(false);
  // Renders nothing for other users, but keeps showing the author a failed deletion after the session has expired.
  if (!isAuthor && !failure) return null;

  const remove = async () => {
    await run('delete', async () => {
      const post = await findPost(slug);
      const isDeleted = post && (await deletePost(post));
      if (!isDeleted) await requireSession(userId);
      // If the post was already deleted, the deletion counts as successful.
      if (post && !isDeleted) throw new Error('deletePost');
      location.assign('/');
    });
    setAsking(false);
  };
  return (
    <div>
      {isAuthor && (
        <div className="flex flex-wrap gap-3">
          <ButtonLink tone="quiet" href={editPostPath(slug)}>
            {postText.edit}
          </ButtonLink>
          <Button tone="quiet" onClick={() => setAsking(true)}>
            {postText.delete}
          </Button>
          {mayPlace && <TextLink href={placePath()}>{postText.place}</TextLink>}
        </div>
      )}
      {isAuthor && asking && (
        <DeleteDialog busy={busy !== ''} onClose={() => setAsking(false)} onConfirm={() => void remove()} />
      )}
      <Banner message={failure} className="mt-4 empty:hidden" />
    </div>
  );
}

interface DeleteDialogProps {
  readonly busy: boolean;
  readonly title?: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** The dialog "Confirm deletion" (spec 2, "Post view"). */
export function DeleteDialog({ title, ...dialog }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      title={deletePostText.deleteTitle}
      description={deletePostText.deleteQuestion}
      cancel={deletePostText.deleteCancel}
      confirm={deletePostText.deleteConfirm}
      {...dialog}
    >
      {title && (
        <p dir="auto" className="border-s-2 border-edge ps-3 font-serif text-lg wrap-anywhere">
          {title}
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Returns the path that opens the settings form with a link to this page already added (`withOfferedPage`). */
function placePath(): string {
  const text = document.querySelector('h1')?.textContent ?? '';
  return `${MANAGE}?${new URLSearchParams({ page: location.pathname, text })}#settings`;
}
