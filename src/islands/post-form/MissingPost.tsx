/** "Post not found.": the writer is taken home, unless words for the post are on this device: they can become a new one. */

import { useEffect, useState } from 'react';
import { postFormText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import type { Draft } from './draft.ts';
import { leftAt, turnToNew } from './draft-of-new.ts';
import { Message } from './Message.tsx';

/** How long it stays, in milliseconds. */
const FAREWELL_MS = 4000;

export function MissingPost({ userId, slug }: { userId: string; slug: string }) {
  const [left, setLeft] = useState<readonly Draft[]>();
  useEffect(() => void leftAt({ userId, post: slug }).then(setLeft), [userId, slug]);
  const hasNone = left?.length === 0;
  useEffect(() => {
    if (!hasNone) return;
    const timer = setTimeout(() => location.replace('/'), FAREWELL_MS);
    return () => clearTimeout(timer);
  }, [hasNone]);

  if (!left || hasNone) return <Message text={postFormText.notFound} />;
  const turn = async () => {
    await turnToNew(left);
    location.assign('/add-post');
  };
  return (
    <Message text={postFormText.notFound} more={postFormText.keptOfMissing}>
      <Button onClick={turn}>{postFormText.newPost}</Button>
    </Message>
  );
}
