/** Shows "Post not found.", then opens the home page or offers this device's drafts of the post as a new post. */

import { useEffect } from 'react';
import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { postFormText } from '#blog/messages.ts';
import { ADD_POST } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import { useLoaded } from '../use-loaded.ts';
import { moveToNewPost, unusedDraftsAt } from './draft/move-to-new-post.ts';
import { FormUnavailable } from './FormUnavailable.tsx';

const LEAVE_AFTER_MS = 4000;

export function MissingPost({ userId, slug }: { userId: string; slug: string }) {
  const { value: left } = useLoaded(() => unusedDraftsAt({ userId, post: slug }), [userId, slug]);
  const hasNone = left?.length === 0;
  useEffect(() => {
    if (!hasNone) return;
    const timer = setTimeout(() => location.replace('/'), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasNone]);

  if (!left || hasNone) return <FormUnavailable text={postFormText.notFound} />;
  const turn = async () => {
    await moveToNewPost(left);
    location.assign(ADD_POST);
  };
  return (
    <FormUnavailable text={postFormText.notFound} more={recoveredDraftText.keptOfMissing}>
      <Button onClick={turn}>{postFormText.newPost}</Button>
    </FormUnavailable>
  );
}
