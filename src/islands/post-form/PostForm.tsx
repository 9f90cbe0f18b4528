/** The pages /add-post and /edit-post/{slug} (spec 2, "Post form"): checks the writer's access and loads the post. */

import { useEffect, useState } from 'react';
import { errorLine, listText, postFormText, viewMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { isSlug } from '#blog/slug-rules.ts';
import type { User } from '#blog/user.ts';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { importWithRetry } from '#stores/import-with-retry.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import { SignedIn } from '../guard/Guard.tsx';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { useLoaded } from '../use-loaded.ts';
import { type FormStart, findDrafts } from './draft/recovered-drafts.ts';
import { FormUnavailable } from './FormUnavailable.tsx';
import { loadEditor } from './fields/ContentField.tsx';
import { PostFormBody } from './PostFormBody.tsx';
import { loadQueue } from './sending/use-sending.tsx';

/** The request for the edited post, sent as soon as this module loads, before the account is checked. */
let first: Promise<Post | undefined> | undefined;
if (typeof document !== 'undefined') {
  // Ignores a failure, because the component that needs the editor loads it again and shows the error.
  loadEditor().catch(() => {});
  const slug = slugInAddress();
  if (slug && 'session' in document.documentElement.dataset) first = findPost(slug);
  first?.catch(() => {});
}

const InLine = lazyPart(loadQueue, 'InLine');
const OfferNewPost = lazyPart(() => import('./OfferNewPost.tsx'), 'OfferNewPost');

export default function PostForm({ mode }: { mode: 'create' | 'edit' }) {
  return <SignedIn>{(user) => (mode === 'create' ? <FormWithDrafts user={user} /> : <Edit user={user} />)}</SignedIn>;
}

function Edit({ user }: { user: User }) {
  const slug = slugInAddress();
  const {
    value: found,
    error,
    retry,
  } = useLoaded(async () => {
    if (!slug) return location.replace('/');
    const asked = first ?? findPost(slug);
    first = undefined;
    return { post: await asked };
  }, [slug]);
  if (error !== undefined) {
    return (
      <FormUnavailable text={errorLine(viewMessage(error))}>
        <Button onClick={retry}>{listText.retry}</Button>
      </FormUnavailable>
    );
  }
  if (!slug || !found) return <Spinner label={postFormText.loading} className="min-h-[60vh]" />;
  const { post } = found;
  if (post?.userId === user.id) return <FormWithDrafts user={user} post={post} />;
  const text = post ? postFormText.notYours : postFormText.notFound;
  const read = post && (
    <ButtonLink tone="quiet" href={addressOfPost(post)}>
      {postFormText.read}
    </ButtonLink>
  );
  const plain = <FormUnavailable text={text}>{read}</FormUnavailable>;
  return (
    <OfferNewPost userId={user.id} slug={slug} text={text} leaves={!post} fallback={plain} onFault={() => {}}>
      {read}
    </OfferNewPost>
  );
}

/**
 * Reads the drafts on this device before showing the form, because a draft may fill the form or be offered above it.
 */
function FormWithDrafts({ user, post }: { user: User; post?: Post }) {
  const [start, setStart] = useState<FormStart>();
  // Undefined at first, true while the draft is queued, and false once the author has taken it out of the queue.
  const [isInLine, setInLine] = useState<boolean>();
  useEffect(() => {
    if (isInLine) return setStart(undefined);
    const isAsked = isInLine === false || location.hash.startsWith('#draft=');
    const find = () => findDrafts({ userId: user.id, post: post?.id ?? '' }, post, isAsked);
    const drafts = location.search === '?shared' ? keepShared(user.id).then(find, find) : find();
    const page = post ? null : new URLSearchParams(location.search).get('page');
    const suggesting = page === null ? undefined : suggestionOf(page);
    void Promise.all([drafts, suggesting]).then(([found, suggested]) => setStart({ ...found, suggested }));
  }, [user, post, isInLine]);
  if (isInLine) return <InLine userId={user.id} onBack={() => setInLine(false)} />;
  if (!start) return <Spinner label={postFormText.loading} className="min-h-[60vh]" />;
  return <PostFormBody user={user} post={post} start={start} onQueued={() => setInLine(true)} />;
}

/**
 * Returns the form's initial values for a page made from a template. If the code for them fails to load, returns
 * undefined, so the form starts empty.
 */
const suggestionOf = (name: string) =>
  importWithRetry(() => import('./suggested-page.ts')).then(
    ({ suggestedPage }) => suggestedPage(name),
    () => undefined,
  );

/** Creates a draft from content that another app has shared. */
const keepShared = async (userId: string) => (await import('./draft/shared-draft.ts')).keepSharedDraft(userId);

function slugInAddress(): string | undefined {
  const slug = location.pathname.split('/')[2] ?? '';
  return isSlug(slug) ? slug : undefined;
}
