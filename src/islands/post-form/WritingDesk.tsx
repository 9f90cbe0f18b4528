/**
 * The post form itself: title, slug, content, picture, status, and what becomes of them. Long because the order of what
 * happens when a post is sent stands in one place.
 */

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { postSchema } from '#blog/forms.ts';
import { draftText, formText, pictureText, postFormText, sessionText, shellText } from '#blog/messages.ts';
import { POST_STATUSES, type Post, type PostStatus } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/Banner.tsx';
import { Button } from '#components/Button.tsx';
import { controlClass, Field } from '#components/Field.tsx';
import { keepFormer } from '#stores/former-versions.ts';
import { expectPictures } from '#stores/media.ts';
import { type Attempt, createPost, updatePost } from '#stores/post-actions.ts';
import { useFields, useSubmit } from '../form.ts';
import { ContentField, type ContentHandle } from './ContentField.tsx';
import { type Draft, dropDraft } from './draft.ts';
import { ElsewhereNotice } from './ElsewhereNotice.tsx';
import { usePart } from './editor/use-part.ts';
import { type Failure, failureOf } from './failure.ts';
import { useFoundDrafts } from './found-drafts.ts';
import { ImagePicker } from './ImagePicker.tsx';
import { SavedNote } from './SavedNote.tsx';
import { SignedOutNotice } from './SignedOutNotice.tsx';
import { TryAgain } from './TryAgain.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import { useDeskDialogs } from './use-desk-dialogs.tsx';
import { useDraft } from './use-draft.ts';
import { usePickedImage } from './use-picked-image.ts';
import { usePublishWarning } from './use-publish-warning.ts';
import { useSession } from './use-session.ts';
import { useSlug } from './use-slug.ts';
import { useUpload } from './use-upload.ts';

interface WritingDeskProps {
  readonly user: User;
  /** The post to edit; without it a new one is written. */
  readonly post?: Post;
}

export function WritingDesk({ user, post }: WritingDeskProps) {
  const [base, setBase] = useState(post);
  const { values, errors, field, set, check } = useFields(postSchema, {
    title: post?.title ?? '',
    slug: post?.id ?? '',
    status: (post?.status ?? 'active') as string,
    content: post?.content ?? '',
  });
  const upload = useUpload();
  const warning = usePublishWarning();
  const session = useSession(user);
  const [failure, setFailure] = useState<Failure>();
  const content = useRef<ContentHandle>(null);
  const [attempt] = useState<Attempt>({});
  const html = () => content.current?.html() ?? values.content;

  const image = usePickedImage(() => {
    setFailure(undefined);
    touched();
  });
  const { picked } = image;
  const slug = useSlug(Boolean(post), (made) => set({ slug: made }));
  const draft = useDraft(user.id, post?.id ?? '', () => ({
    ...values,
    content: content.current?.html(true) ?? values.content,
    slugEdited: slug.edited,
    picture: picked.file,
    basedOn: base?.updatedAt,
  }));
  const found = useFoundDrafts(draft, base);
  const wasFound = useRef(false);
  wasFound.current ||= found.length > 0;
  const Offer = usePart(wasFound.current, () => import('./DraftOffer.tsx'), 'DraftOffer');
  const { Part: SignIn } = usePart(
    session.question !== undefined,
    () => import('./SignInAgain.tsx'),
    'SignInAgain',
    () => session.question?.(false),
  );
  const ahead = useRef<Post>(undefined);
  const begun = useRef(false);
  const touched = () => {
    draft.touched();
    if (!begun.current) void expectPictures();
    begun.current = true;
    if (!base || ahead.current === base) return;
    ahead.current = base;
    // A failure now is no matter: publishing tries again, and says so.
    keepFormer(base).catch(session.hasEnded);
  };
  const restore = async (kept: Draft, picture: File | undefined, isOurs: boolean) => {
    const { title, slug: keptSlug, status } = kept;
    flushSync(() => {
      set({ title, status, content: kept.content, ...(!post && { slug: keptSlug }) });
      image.set({ file: picture });
    });
    slug.take(kept.slugEdited);
    content.current?.replace(kept.content);
    touched();
    // The old copy goes when this form's own holds the same.
    if ((await draft.save()) && isOurs) await dropDraft(kept);
  };

  const picture = picked.file ?? base?.featuredImage ?? '';
  const dialogs = useDeskDialogs({
    base,
    onScreen: () => ({ ...values, status: values.status as PostStatus, content: html(), picture }),
    take: (version) => {
      set({ title: version.title, status: version.status, content: version.content });
      if (version.content !== html()) content.current?.replace(version.content);
      if (version.picture !== picture) image.set(version.picture instanceof File ? { file: version.picture } : {});
      touched();
    },
    rebase: (now) => {
      setBase(now);
      setFailure(undefined);
    },
    ready: async () => content.current?.settled(),
  });

  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure(undefined);
    // From here on the form stands still: what is sent is what is shown.
    setBusy(true);
    const stop = (message?: string) => {
      flushSync(() => {
        setBusy(false);
        setFailure(message === undefined ? undefined : { message });
      });
    };
    if (!session.isOurs && !(await session.ask())) return stop(sessionText.ended);
    // Pictures that are still on their way belong to the text, and one that is being looked at is chosen.
    const [{ file, fault }, obstacle] = await Promise.all([image.settled(), content.current?.settled()]);
    if (obstacle) return stop(obstacle);
    set({ content: html() });
    flushSync(() => setBusy(false));
    const input = check(postSchema, form);
    const missing = fault ?? (post || file ? undefined : formText.imageRequired);
    if (missing) image.set({ fault: missing });
    if (!post && missing) setFailure({ message: missing });
    if (missing || !input) {
      if (input) form.querySelector<HTMLElement>('input[type=file]')?.focus();
      return;
    }
    setBusy(true);
    if (input.status === 'active' && !(await warning.mayPublish(content.current?.undescribed() ?? 0))) {
      stop();
      content.current?.describe();
      return;
    }
    const send = () => {
      const sending = { ...upload.begin(), attempt };
      if (base) return updatePost(base, { ...input, image: file }, sending);
      return createPost({ ...input, userId: user.id, image: file as File }, sending);
    };
    const sendSignedIn = (): Promise<Post> =>
      send().catch(async (error: unknown) => {
        if (!(await session.hasEnded(error))) throw error;
        if (await session.ask()) return sendSignedIn();
        throw new Error(sessionText.ended);
      });
    try {
      const saved = await sendSignedIn();
      await draft.done();
      location.assign(`/post/${saved.id}`);
    } catch (error) {
      setBusy(false);
      if (upload.ended()) return;
      const fault = failureOf(error);
      if (fault.theirs) dialogs.conflict(fault.theirs);
      setFailure(fault);
    }
  });

  const title = field('title');
  const slugField = field('slug');
  const status = field('status');
  const wasActive = post?.status === 'active';
  // By a notice of its own, which has a button.
  const isTold = failure?.theirs || (failure?.message === sessionText.ended && !session.isOurs);
  return (
    <>
      <form
        noValidate
        onSubmit={onSubmit}
        onChange={touched}
        data-frozen={busy || undefined}
        className="site-width py-8 data-frozen:cursor-progress sm:py-12 data-frozen:[&_.text-editor]:opacity-70 data-frozen:[&_:is(textarea,select)]:opacity-70"
      >
        <h1 className="sr-only">{post ? shellText.editPost : shellText.addPost}</h1>
        <div className="mx-auto grid max-w-form gap-6 empty:hidden md:max-w-none">
          <Banner message={isTold ? undefined : failure?.message} className="scroll-mt-6 empty:hidden" />
          <div className="contents" inert={busy}>
            {base && (
              <ElsewhereNotice post={base} busy={busy} changed={Boolean(failure?.theirs)} onCompare={dialogs.compare} />
            )}
            {dialogs.notice}
            {!session.isOurs && !session.question && <SignedOutNotice onSignIn={session.ask} />}
            {Offer.Part && <Offer.Part found={found} keeper={draft} post={base} onRestore={restore} />}
            {Offer.again && <TryAgain onAgain={Offer.again} />}
          </div>
        </div>
        <div className="mt-4 grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem] xl:gap-x-20">
          <div className="grid min-w-0 grid-cols-1 content-start gap-2">
            <Field label={postFormText.title} error={title.error}>
              {(wiring) => (
                <textarea
                  {...wiring}
                  name="title"
                  rows={1}
                  readOnly={busy}
                  value={title.value}
                  onChange={(event) => {
                    // A title is one line, also when it was pasted.
                    const value = event.currentTarget.value.replace(/\s*\n\s*/g, ' ');
                    title.onChange({ currentTarget: { value } });
                    slug.follow(value);
                  }}
                  onBlur={title.onBlur}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                    event.preventDefault();
                    content.current?.focus();
                  }}
                  placeholder={postFormText.titleExample}
                  dir="auto"
                  className="block w-full resize-none wrap-anywhere field-sizing-content border-0 border-b border-hairline bg-transparent pb-3 font-serif text-4xl font-medium tracking-tight text-ink placeholder:text-soft/70 focus-visible:border-accent focus-visible:outline-none aria-invalid:border-danger"
                />
              )}
            </Field>
            <ContentField
              ref={content}
              initial={values.content}
              userId={user.id}
              error={errors.content}
              frozen={busy}
              onChange={touched}
              note={<SavedNote saved={draft.saved} />}
            />
          </div>
          <aside
            aria-label={postFormText.about}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 self-start lg:sticky lg:top-6"
          >
            <Field label={postFormText.status} error={status.error} help={statusHelp(values.status, wasActive)}>
              {(wiring) => (
                <select
                  {...wiring}
                  name="status"
                  value={status.value}
                  onChange={status.onChange}
                  inert={busy}
                  className={`${controlClass} bg-paper!`}
                >
                  {POST_STATUSES.map((name) => (
                    <option key={name} value={name}>
                      {postFormText[name]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <ImagePicker current={base?.featuredImage ?? ''} picked={picked} frozen={busy} onChoose={image.choose} />
            {busy && upload.progress && (
              <UploadProgress progress={upload.progress} label={pictureText.featuredUpload} onCancel={upload.cancel} />
            )}
            {!busy && upload.failed && (
              <div className="mb-3 grid justify-items-start gap-2 rounded-md border border-danger p-3">
                <p className="text-sm text-danger">{pictureText.featuredLost}</p>
                <Button type="submit" tone="quiet">
                  {pictureText.retry}
                </Button>
              </div>
            )}
            <Field
              label={postFormText.slug}
              readOnly={busy || Boolean(post)}
              help={post ? postFormText.slugLocked : postFormText.slugHelp(values.slug || '…')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...slugField}
              onFocus={() => slug.enter(true)}
              onBlur={(event) => {
                slug.enter(false);
                slugField.onBlur(event);
              }}
              onChange={(event) => {
                slug.take(true);
                slugField.onChange(event);
              }}
            />
            <div className="contents" inert={busy}>
              {dialogs.tools}
            </div>
            <Button type="submit" busy={busy} className="w-full">
              {post ? postFormText.update : postFormText.submit}
            </Button>
            <p role="status" className="min-h-4 text-xs text-soft">
              {busy && !warning.question && draftText.sending}
            </p>
          </aside>
        </div>
        {warning.Dialog && warning.question && <warning.Dialog question={warning.question} />}
      </form>
      {dialogs.shown}
      {SignIn && session.question && <SignIn user={user} question={session.question} />}
    </>
  );
}

function statusHelp(status: string, wasActive: boolean): string {
  if (status === 'active') return postFormText.activeHelp;
  return wasActive ? postFormText.takenOffHelp : postFormText.inactiveHelp;
}
