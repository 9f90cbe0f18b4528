/** The post form itself: title, slug, content, picture, status, and the copy of them on this device. */

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { postSchema } from '#blog/forms.ts';
import { draftText, postFormText, sessionText, shellText } from '#blog/messages.ts';
import type { Post, PostStatus } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/Banner.tsx';
import { Button } from '#components/Button.tsx';
import { keepFormer } from '#stores/former-versions.ts';
import { expectPictures } from '#stores/media.ts';
import { useFields } from '../form.ts';
import { ContentField, type ContentHandle } from './ContentField.tsx';
import { type Draft, dropDraft } from './draft.ts';
import { ElsewhereNotice } from './ElsewhereNotice.tsx';
import { usePart } from './editor/use-part.ts';
import type { Failure } from './failure.ts';
import { useFoundDrafts } from './found-drafts.ts';
import { ImagePicker } from './ImagePicker.tsx';
import { SavedNote } from './SavedNote.tsx';
import { SignedOutNotice } from './SignedOutNotice.tsx';
import { SlugField } from './SlugField.tsx';
import { StatusField } from './StatusField.tsx';
import { TitleField } from './TitleField.tsx';
import { TryAgain } from './TryAgain.tsx';
import { useDeskDialogs } from './use-desk-dialogs.tsx';
import { useDraft } from './use-draft.ts';
import { useElsewhere } from './use-elsewhere.ts';
import { usePickedImage } from './use-picked-image.ts';
import { useSending } from './use-sending.ts';
import { useSession } from './use-session.ts';
import { useSlug } from './use-slug.ts';
import { whenIdle } from './when-idle.ts';

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
  const session = useSession(user);
  const [failure, setFailure] = useState<Failure>();
  const content = useRef<ContentHandle>(null);
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
    if (!begun.current) whenIdle(() => void expectPictures());
    begun.current = true;
    if (!base || ahead.current === base) return;
    ahead.current = base;
    // A failure now is no matter: publishing tries again, and says so.
    whenIdle(() => void keepFormer(base).catch(session.hasEnded));
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

  const rebase = (now: Post) => {
    setBase(now);
    setFailure(undefined);
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
    rebase,
    focus: () => content.current?.focus(),
    ready: async () => content.current?.settled(),
  });
  const { busy, onSubmit, upload, warning } = useSending({
    ...{ user, base, fields: { set, check }, content, image, session, draft },
    tell: setFailure,
    onConflict: dialogs.conflict,
  });

  // Here before it is of use: nothing may come any more when an upload is lost.
  const { Part: State } = usePart(picked.file !== undefined, () => import('./UploadState.tsx'), 'UploadState');
  const heard = useElsewhere(base, {
    isSending: busy,
    isShown: ({ title, status, featuredImage, content: theirs }) =>
      title === values.title.trim() && status === values.status && featuredImage === picture && theirs === html(),
    onShown: rebase,
  });
  // An update that was refused tells it, too.
  const news = failure?.isGone ? 'deleted' : (heard ?? (failure?.theirs && 'changed'));

  const title = field('title');
  // By a notice of its own, which has a button.
  const isTold = failure?.theirs || failure?.isGone || (failure?.message === sessionText.ended && !session.isOurs);
  return (
    <>
      <form
        noValidate
        onSubmit={onSubmit}
        onChange={touched}
        data-frozen={busy || undefined}
        className="site-width pb-8 data-frozen:cursor-progress sm:pb-12 data-frozen:[&_.text-editor]:opacity-70 data-frozen:[&_:is(textarea,select)]:opacity-70"
      >
        <h1 className="sr-only">{post ? shellText.editPost : shellText.addPost}</h1>
        {/* There is room for a line. */}
        <div className="mx-auto grid min-h-12 max-w-form items-center sm:min-h-20 md:max-w-none">
          <Banner message={isTold ? undefined : failure?.message} className="scroll-mt-6 pt-3 pb-5 sm:py-3" />
        </div>
        <div className="grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem] xl:gap-x-20">
          <div className="grid min-w-0 grid-cols-1 content-start gap-4">
            <TitleField
              {...title}
              frozen={busy}
              onChange={(value) => {
                title.onChange({ currentTarget: { value } });
                slug.follow(value);
              }}
              onEnter={() => content.current?.focus()}
            />
            <ContentField
              ref={content}
              initial={values.content}
              userId={user.id}
              error={errors.content}
              frozen={busy}
              onChange={touched}
              note={<SavedNote saved={draft.saved} />}
              notices={
                <>
                  {news && <ElsewhereNotice news={news} onCompare={dialogs.compare} keeper={draft} />}
                  {dialogs.notice}
                  {!session.isOurs && !session.question && <SignedOutNotice onSignIn={session.ask} />}
                  {Offer.Part && <Offer.Part found={found} keeper={draft} post={base} onRestore={restore} />}
                  {Offer.again && <TryAgain onAgain={Offer.again} />}
                </>
              }
            />
          </div>
          <aside
            aria-label={postFormText.about}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 self-start lg:sticky lg:top-6"
          >
            <StatusField field={field('status')} wasActive={post?.status === 'active'} frozen={busy} />
            <ImagePicker current={base?.featuredImage ?? ''} picked={picked} frozen={busy} onChoose={image.choose} />
            <SlugField field={field('slug')} slug={slug} isLocked={Boolean(post)} frozen={busy} />
            <div className="contents" inert={busy}>
              {dialogs.tools}
            </div>
            <Button type="submit" busy={busy} className="w-full">
              {post ? postFormText.update : postFormText.submit}
            </Button>
            {State && <State upload={upload} busy={busy} />}
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
