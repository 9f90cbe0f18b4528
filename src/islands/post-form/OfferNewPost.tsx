/** Says why a post cannot be edited, and offers this device's drafts of it as a new post. */

import { useEffect } from 'react';
import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { postFormText } from '#blog/messages.ts';
import { ADD_POST } from '#blog/routes/paths.ts';
import { Button } from '#components/controls/Button.tsx';
import { useLoaded } from '../use-loaded.ts';
import { moveToNewPost, unusedDraftsAt } from './draft/move-to-new-post.ts';
import { FormUnavailable } from './FormUnavailable.tsx';

const LEAVE_AFTER_MS = 4000;

interface OfferNewPostProps {
  readonly userId: string;
  readonly slug: string;
  readonly text: string;
  /** If true, opens the home page after four seconds unless there are drafts. */
  readonly leaves?: boolean;
  readonly children?: React.ReactNode;
}

export function OfferNewPost({ userId, slug, text, leaves, children }: OfferNewPostProps) {
  const { value: left } = useLoaded(() => unusedDraftsAt({ userId, post: slug }), [userId, slug]);
  const hasNone = left?.length === 0;
  useEffect(() => {
    if (!hasNone || !leaves) return;
    const timer = setTimeout(() => location.replace('/'), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasNone, leaves]);

  if (!left || hasNone) return <FormUnavailable text={text}>{children}</FormUnavailable>;
  const turn = async () => {
    await moveToNewPost(left);
    location.assign(ADD_POST);
  };
  return (
    <FormUnavailable text={text} more={recoveredDraftText.keptOfMissing}>
      <Button onClick={turn}>{postFormText.newPost}</Button>
      {children}
    </FormUnavailable>
  );
}
