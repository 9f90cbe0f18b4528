/** /add-post and /edit-post/{slug} (spec 2, "Post form"): who may write here, and which post it is. */

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { errorLine, listText, postFormText, viewMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import type { User } from '#blog/user.ts';
import { Button, ButtonLink } from '#components/Button.tsx';
import { Spinner } from '#components/Spinner.tsx';
import { $auth } from '#stores/auth.ts';
import { findPost } from '#stores/post-actions.ts';
import { Guard } from '../guard/Guard.tsx';
import { loadEditor } from './ContentField.tsx';
import { usePart } from './editor/use-part.ts';
import { Message } from './Message.tsx';
import { WritingDesk } from './WritingDesk.tsx';

/** What is asked for while the page is made ready and the account is checked: by whom it is not known yet. */
let first: Promise<Post | undefined> | undefined;
if (typeof document !== 'undefined') {
  const editor = loadEditor();
  const slug = slugInAddress();
  if (slug && 'session' in document.documentElement.dataset) first = findPost(slug);
  // Whoever needs what fails tries again, or says so.
  Promise.all([editor, first]).then(
    ([{ readyFor }, post]) => readyFor(post?.content ?? ''),
    () => {},
  );
}

export default function PostForm({ mode }: { mode: 'create' | 'edit' }) {
  return (
    <Guard access="signed-in">
      <SignedInForm mode={mode} />
    </Guard>
  );
}

function SignedInForm({ mode }: { mode: 'create' | 'edit' }) {
  const { user } = useStore($auth);
  // The writer stays at his desk when another tab signs out: what he sends then is refused in words, not lost.
  const [writer] = useState(user);
  if (!writer) return null;
  return mode === 'create' ? <WritingDesk user={writer} /> : <Edit user={writer} />;
}

type Search = { readonly post?: Post | undefined; readonly failure?: string } | undefined;

function Edit({ user }: { user: User }) {
  const [found, setFound] = useState<Search>();
  const [attempt, setAttempt] = useState(0);
  const slug = slugInAddress();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is the reason to ask again.
  useEffect(() => {
    if (!slug) return location.replace('/');
    const asked = first ?? findPost(slug);
    first = undefined;
    asked.then(
      (post) => setFound({ post }),
      (error: unknown) => setFound({ failure: viewMessage(error) }),
    );
  }, [slug, attempt]);

  const isMissing = found !== undefined && !found.post && !found.failure;
  const { Part: Missing } = usePart(isMissing, () => import('./MissingPost.tsx'), 'MissingPost');

  if (!slug || !found) return <Spinner label={postFormText.loading} className="min-h-[60vh]" />;
  if (found.failure) {
    const retry = () => {
      setFound(undefined);
      setAttempt(attempt + 1);
    };
    return (
      <Message text={errorLine(found.failure)}>
        <Button onClick={retry}>{listText.retry}</Button>
      </Message>
    );
  }
  if (!found.post) {
    return Missing ? <Missing userId={user.id} slug={slug} /> : <Message text={postFormText.notFound} />;
  }
  if (found.post.userId !== user.id) {
    return (
      <Message text={postFormText.notYours}>
        <ButtonLink href={`/post/${found.post.id}`}>{postFormText.read}</ButtonLink>
      </Message>
    );
  }
  return <WritingDesk user={user} post={found.post} />;
}

/** `/edit-post/<slug>`. */
function slugInAddress(): string | undefined {
  const slug = location.pathname.split('/')[2] ?? '';
  return isSlug(slug) ? slug : undefined;
}
