/** What the author of a post finds beside it: Edit and Delete (spec 2, "Post view"; 4, "Delete"). */

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { deleteMessage, postText } from '#blog/messages.ts';
import { Banner } from '#components/Banner.tsx';
import { Button, ButtonLink } from '#components/Button.tsx';
import { $auth, checkUser, requireSession } from '#stores/auth.ts';
import { deletePost, findPost } from '#stores/post-actions.ts';
import { DeleteDialog } from './DeleteDialog.tsx';

interface PostActionsProps {
  readonly slug: string;
  /** The author's id. */
  readonly userId: string;
}

/** Renders nothing for anybody but the author. */
export function PostActions({ slug, userId }: PostActionsProps) {
  const { user } = useStore($auth);
  useEffect(() => void checkUser(), []);
  return user?.id === userId ? <Tools slug={slug} userId={userId} /> : null;
}

function Tools({ slug, userId }: PostActionsProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  const remove = async () => {
    setBusy(true);
    setFailure('');
    try {
      const post = await findPost(slug);
      const isDeleted = post && (await deletePost(post));
      if (!isDeleted) await requireSession(userId);
      // A post that is gone already is as good as deleted.
      if (isDeleted || !post) return location.assign('/');
      setFailure(deleteMessage(undefined));
    } catch (error) {
      setFailure(deleteMessage(error));
    } finally {
      setBusy(false);
      setAsking(false);
    }
  };

  return (
    <div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink tone="quiet" href={`/edit-post/${slug}`}>
          {postText.edit}
        </ButtonLink>
        <Button tone="quiet" onClick={() => setAsking(true)}>
          {postText.delete}
        </Button>
      </div>
      <Banner message={failure} className="mt-4 empty:hidden" />
      <DeleteDialog open={asking} busy={busy} onClose={() => setAsking(false)} onConfirm={remove} />
    </div>
  );
}
