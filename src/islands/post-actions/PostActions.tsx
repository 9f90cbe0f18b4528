/** Edit and Delete for a post's author (spec 2, "Post view"; 4, "Delete"). */

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { deleteMessage, postText } from '#blog/messages.ts';
import { editPostPath } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { $auth, checkUser, requireSession } from '#stores/account/auth.ts';
import { deletePost, findPost } from '#stores/posts/post-actions.ts';
import { DeleteDialog } from './DeleteDialog.tsx';

interface PostActionsProps {
  readonly slug: string;
  readonly userId: string;
}

/** Renders nothing unless the user is the author. */
export function PostActions({ slug, userId }: PostActionsProps) {
  const { user } = useStore($auth);
  const [failure, setFailure] = useState('');
  useEffect(() => void checkUser(), []);
  const isAuthor = user?.id === userId;
  // The message stays after an expired session has removed the buttons.
  if (!isAuthor && !failure) return null;
  return (
    <div>
      {isAuthor && <Tools slug={slug} userId={userId} onFailure={setFailure} />}
      <Banner message={failure} className="mt-4 empty:hidden" />
    </div>
  );
}

interface ToolsProps extends PostActionsProps {
  readonly onFailure: (words: string) => void;
}

function Tools({ slug, userId, onFailure }: ToolsProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const remove = async () => {
    setBusy(true);
    onFailure('');
    try {
      const post = await findPost(slug);
      const isDeleted = post && (await deletePost(post));
      if (!isDeleted) await requireSession(userId);
      // A post that was already deleted counts as a success.
      if (isDeleted || !post) return location.assign('/');
      onFailure(deleteMessage(undefined));
    } catch (error) {
      onFailure(deleteMessage(error));
    } finally {
      setBusy(false);
      setAsking(false);
    }
  };

  return (
    <>
      <div className="flex flex-wrap gap-3">
        <ButtonLink tone="quiet" href={editPostPath(slug)}>
          {postText.edit}
        </ButtonLink>
        <Button tone="quiet" onClick={() => setAsking(true)}>
          {postText.delete}
        </Button>
      </div>
      <DeleteDialog open={asking} busy={busy} onClose={() => setAsking(false)} onConfirm={remove} />
    </>
  );
}
