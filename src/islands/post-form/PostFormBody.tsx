/** The post form: title, slug, content, picture and status, and the draft of them on this device. */

import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { draftText, postFormText, sessionText, shellText } from '#blog/messages.ts';
import { type FormValues, formValues, type Post, sameFormValues } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { expectPictures } from '#stores/pictures/media.ts';
import { keepFormer } from '#stores/posts/former-versions.ts';
import { useFields } from '../form.ts';
import { type Draft, type DraftFields, deleteDraft } from './draft/draft-store.ts';
import { type FormStart, useRecoveredDrafts } from './draft/recovered-drafts.ts';
import { SavedNote } from './draft/SavedNote.tsx';
import { useDraft } from './draft/use-draft.ts';
import { ContentField, type ContentHandle } from './fields/ContentField.tsx';
import { ImagePicker } from './fields/ImagePicker.tsx';
import { SlugField } from './fields/SlugField.tsx';
import { StatusField } from './fields/StatusField.tsx';
import { TitleField } from './fields/TitleField.tsx';
import { usePickedImage } from './fields/use-picked-image.ts';
import { useSlug } from './fields/use-slug.ts';
import { LazyFields } from './lazy/LazyFields.tsx';
import { TryAgain } from './lazy/TryAgain.tsx';
import { useLazyComponent } from './lazy/use-lazy-component.ts';
import { Notice } from './notices/Notice.tsx';
import { useRemoteChange } from './notices/use-remote-change.ts';
import { useSession } from './notices/use-session.ts';
import { loadPostSchema } from './sending/load-post-schema.ts';
import type { Failure } from './sending/save-failure.ts';
import { useSending } from './sending/use-sending.ts';
import { useFormDialogs } from './use-form-dialogs.tsx';
import { whenIdle } from './when-idle.ts';

/** Who filled one of these sees them at once. */
const OPENED_BY = ['tags', 'excerpt', 'language', 'featuredImageAlt'] as const;

/** Loads what sending will need, while there is a connection. A failure is ignored: sending tries again and shows it. */
function loadAhead() {
  void expectPictures();
  loadPostSchema().catch(() => {});
}

interface PostFormBodyProps {
  readonly user: User;
  /** The post to edit; undefined while a new one is written. */
  readonly post?: Post | undefined;
  readonly start: FormStart;
}

export function PostFormBody({ user, post, start }: PostFormBodyProps) {
  const { own } = start;
  const [base, setBase] = useState(post);
  const { values, errors, field, set, check } = useFields(loadPostSchema, {
    ...formValues(own?.draft ?? post ?? { status: 'active' }),
    slug: post?.id ?? own?.draft.slug ?? '',
  });
  const session = useSession(user);
  const [failure, setFailure] = useState<Failure>();
  const content = useRef<ContentHandle>(null);
  const html = () => content.current?.html() ?? values.content;

  const image = usePickedImage(own?.picture, () => {
    setFailure(undefined);
    touched();
  });
  const { picked } = image;
  const slug = useSlug(Boolean(post), own?.draft.slugEdited, (made) => set({ slug: made }));
  const words = (): DraftFields => ({
    ...values,
    content: content.current?.html(true) ?? values.content,
    slugEdited: slug.edited,
  });
  const draft = useDraft(user.id, post?.id ?? '', own, () => ({
    ...words(),
    picture: picked.file,
    basedOn: base?.updatedAt,
  }));
  const { save } = draft;
  // Stores a chosen picture at once: a page that is being closed has no time to read its bytes.
  useEffect(() => {
    if (picked.file && !picked.busy) void save();
  }, [picked, save]);
  const recovered = useRecoveredDrafts(draft, base, start.recovered);
  const wasFound = useRef(false);
  wasFound.current ||= recovered.length > 0;
  const isAbove = start.Offer !== undefined;
  const LateOffer = useLazyComponent(
    wasFound.current && !isAbove,
    () => import('./draft/DraftOffer.tsx'),
    'DraftOffer',
  );
  const { Component: SignIn } = useLazyComponent(
    session.question !== undefined,
    () => import('./notices/SignInAgain.tsx'),
    'SignInAgain',
    () => session.question?.(false),
  );
  const ahead = useRef<Post>(undefined);
  const begun = useRef(false);
  const [undo, setUndo] = useState<() => void>();
  const touched = () => {
    draft.touched();
    if (undo) setUndo(undefined);
    if (!begun.current) whenIdle(loadAhead);
    begun.current = true;
    if (!base || ahead.current === base) return;
    ahead.current = base;
    // A failure is ignored: publishing tries again and shows it.
    whenIdle(() => void keepFormer(base).catch(session.hasEnded));
  };
  const fill = (kept: DraftFields, file: File | undefined) => {
    flushSync(() => {
      set({ ...formValues(kept), ...(!post && { slug: kept.slug }) });
      image.set({ file });
    });
    slug.take(kept.slugEdited);
    content.current?.replace(kept.content);
    touched();
  };
  const restore = async (kept: Draft, file: File | undefined, isOurs: boolean) => {
    fill(kept, file);
    // The old draft is dropped once this form's own draft holds the same, pictures and all.
    if ((await draft.save()) === 'kept' && isOurs) await deleteDraft(kept);
  };
  const discard = async () => {
    const [before, { file }] = [words(), picked];
    fill({ ...formValues(base ?? { status: 'active' }), slug: '', slugEdited: false }, undefined);
    await draft.done();
    setUndo(() => () => {
      setUndo(undefined);
      fill(before, file);
    });
  };

  const rebase = (now: Post) => {
    setBase(now);
    setFailure(undefined);
  };
  const picture = picked.file ?? base?.featuredImage ?? '';
  const dialogs = useFormDialogs({
    base,
    onScreen: () => ({ ...values, content: html(), featuredImage: picture }),
    take: (version) => {
      set(formValues(version));
      if (version.content !== html()) content.current?.replace(version.content);
      const { featuredImage } = version;
      if (featuredImage !== picture) image.set(featuredImage instanceof File ? { file: featuredImage } : {});
      touched();
    },
    rebase,
    focus: () => content.current?.focus(),
    ready: async () => content.current?.settled(),
  });
  const { busy, onSubmit, upload, warning } = useSending({
    ...{ user, base, fields: { values, set, check }, content, image, session, draft },
    setFailure,
    onConflict: dialogs.conflict,
  });

  // The component is loaded when a picture is chosen, because the network may be gone when an upload fails.
  const { Component: State } = useLazyComponent(
    picked.file !== undefined,
    () => import('./sending/UploadState.tsx'),
    'UploadState',
  );
  const subscribedChange = useRemoteChange(base, {
    isSending: busy,
    isShown: (now) =>
      now.featuredImage === picture && sameFormValues(now, { ...values, title: values.title.trim(), content: html() }),
    onShown: rebase,
  });
  // A refused update reports the change, too.
  const remoteChange = failure?.isGone ? 'deleted' : (subscribedChange ?? (failure?.theirs && 'changed'));

  const hasDetails = OPENED_BY.some((name) => values[name].length > 0);
  const hasHours = Boolean(values.publishAt || values.unpublishAt);
  // Each check gives another object, so that the fields open again when they have been closed over an error.
  const wrongHours = (errors.publishAt || errors.unpublishAt) && errors;
  const change = (changed: Partial<FormValues>) => {
    set(changed);
    touched();
  };
  const Remote = useLazyComponent(
    Boolean(remoteChange),
    () => import('./notices/RemoteChangeNotice.tsx'),
    'RemoteChangeNotice',
  );
  const Offer = start.Offer ?? LateOffer.Component;
  const offer = Offer && (
    <Offer recovered={recovered} keeper={draft} post={base} isAbove={isAbove} onRestore={restore} />
  );
  const title = field('title');
  // These failures have a notice of their own with a button.
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
        {/* The height keeps room for one line. */}
        <div className="mx-auto grid min-h-12 max-w-form items-center sm:min-h-20 md:max-w-none">
          <Banner
            message={isTold ? undefined : failure?.message}
            className="form-alert scroll-mt-6 pt-3 pb-5 sm:py-3"
          />
        </div>
        <div className="form-columns grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem] xl:gap-x-20">
          <div className="form-page grid min-w-0 grid-cols-1 content-start gap-4">
            {isAbove && offer}
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
              language={values.language}
              error={errors.content}
              frozen={busy}
              onChange={touched}
              note={
                <>
                  {undo ? draftText.discarded : <SavedNote saved={draft.saved} />}
                  {(undo || (own && draft.saved)) && !busy && (
                    <button type="button" className="draft-action" onClick={undo ?? discard}>
                      {undo ? draftText.undo : draftText.discard}
                    </button>
                  )}
                </>
              }
              notices={
                <>
                  {Remote.Component && remoteChange && (
                    <Remote.Component change={remoteChange} onCompare={dialogs.compare} keeper={draft} />
                  )}
                  {Remote.retry && <TryAgain onAgain={Remote.retry} />}
                  {dialogs.notice}
                  {!session.isOurs && !session.question && <SignedOutNotice onSignIn={session.ask} />}
                  {!isAbove && offer}
                  {LateOffer.retry && <TryAgain onAgain={LateOffer.retry} />}
                </>
              }
            />
          </div>
          <aside
            aria-label={postFormText.about}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 self-start lg:sticky lg:top-6"
          >
            <div className="form-about contents">
              <StatusField field={field('status')} wasActive={post?.status === 'active'} frozen={busy} />
              <LazyFields
                label={postFormText.hours}
                opensFor={wrongHours || hasHours}
                load={() => import('./schedule/HourFields.tsx')}
                name="HourFields"
                fields={{ values, errors, frozen: busy, onChange: change }}
              />
              <ImagePicker current={base?.featuredImage ?? ''} picked={picked} frozen={busy} onChoose={image.choose} />
              <LazyFields
                label={postFormText.details}
                opensFor={hasDetails}
                load={() => import('./details/PostDetails.tsx')}
                name="PostDetails"
                fields={{ values, html, frozen: busy, onChange: change }}
              />
              <SlugField field={field('slug')} slug={slug} isLocked={Boolean(post)} frozen={busy} />
            </div>
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
      {dialogs.dialog}
      {SignIn && session.question && <SignIn user={user} question={session.question} />}
    </>
  );
}

function SignedOutNotice({ onSignIn }: { onSignIn: () => void }) {
  return (
    <Notice role="alert">
      <p className="min-w-0 flex-1 basis-60">{sessionText.ended}</p>
      <Button onClick={onSignIn}>{sessionText.title}</Button>
    </Notice>
  );
}
