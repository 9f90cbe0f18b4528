import { useRef, useSyncExternalStore } from 'react';
import { draftText, postFormText, sessionText, shellText } from '#blog/messages.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { currentSite } from '#stores/site.ts';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { LazyFields } from './Disclosure.tsx';
import type { Saved } from './draft/use-draft.ts';
import { ContentField } from './fields/ContentField.tsx';
import { ImagePicker } from './fields/ImagePicker.tsx';
import { SlugField, StatusField, TitleField } from './fields/TextFields.tsx';
import { timeText } from './format-time.ts';
import { Notice } from './notices/Notice.tsx';
import { type PostFormProps, usePostForm } from './use-post-form.ts';

const HourFields = lazyPart(() => import('./schedule/HourFields.tsx'), 'HourFields');
const PostDetails = lazyPart(() => import('./details/PostDetails.tsx'), 'PostDetails');
const NewsletterField = lazyPart(() => import('./details/NewsletterField.tsx'), 'NewsletterField');
const DraftOffer = lazyPart(() => import('./draft/DraftOffer.tsx'), 'DraftOffer');
const RemoteChangeNotice = lazyPart(() => import('./notices/RemoteChangeNotice.tsx'), 'RemoteChangeNotice');
const SignInAgain = lazyPart(() => import('./notices/SignInAgain.tsx'), 'SignInAgain');
const FileConflict = lazyPart(() => import('./synced-files/SyncedFiles.tsx'), 'FileConflict');
const FilesNote = lazyPart(() => import('./synced-files/SyncedFiles.tsx'), 'FilesNote');
const UploadState = lazyPart(() => import('./sending/UploadState.tsx'), 'UploadState');

const DETAILS = ['tags', 'excerpt', 'language', 'featuredImageAlt', 'kind'] as const;

export function PostFormBody(props: PostFormProps) {
  const { user, post, start } = props;
  const form = usePostForm(props);
  const { values, errors, field, content, draft, recovered, session, dialogs, remoteChange, undo } = form;
  const { busy, onSubmit, upload, question } = form.sending;
  const { picked } = form.image;
  const wasFound = useRef(false);
  wasFound.current ||= recovered.length > 0;
  const offer = { recovered, keeper: draft, post: form.base, isAbove: Boolean(start.Offer), onRestore: form.restore };
  const hasDetails = DETAILS.some((name) => values[name].length > 0);
  const hasHours = Boolean(values.publishAt || values.unpublishAt);
  // `errors` is a new object after each validation, so closed schedule fields open again to show an error.
  const wrongHours = (errors.publishAt || errors.unpublishAt) && errors;
  return (
    <>
      <form
        noValidate
        onSubmit={onSubmit}
        onChange={form.touched}
        data-frozen={busy || undefined}
        className="site-width pb-8 data-frozen:cursor-progress sm:pb-12 data-frozen:[&_.text-editor]:opacity-70 data-frozen:[&_:is(textarea,select)]:opacity-70"
      >
        <h1 className="sr-only">{post ? shellText.editPost : shellText.addPost}</h1>
        {/* Reserves room for a one-line message. */}
        <div className="mx-auto grid min-h-12 max-w-form items-center sm:min-h-20 md:max-w-none">
          <Banner message={form.failure} className="form-alert scroll-mt-6 pt-3 pb-5 sm:py-3" />
        </div>
        <div className="form-columns grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem] xl:gap-x-20">
          <div className="form-page grid min-w-0 grid-cols-1 content-start gap-4">
            {start.Offer && <start.Offer {...offer} isFrozen={busy} />}
            <TitleField
              field={field('title')}
              frozen={busy}
              slug={form.slug}
              onEnter={() => content.current?.focus()}
            />
            <ContentField
              ref={content}
              initial={values.content}
              userId={user.id}
              language={values.language}
              error={errors.content}
              frozen={busy}
              onChange={form.touched}
              note={
                <>
                  {undo ? draftText.discarded : <SavedNote saved={draft.saved} />}
                  {(undo || (start.own && draft.saved)) && !busy && (
                    <button
                      type="button"
                      // Enlarges the touch target without making the line taller.
                      className="-my-3 ml-1 px-2 py-3 font-[550] text-accent hover:underline"
                      onClick={undo ?? form.discard}
                    >
                      {undo ? draftText.undo : draftText.discard}
                    </button>
                  )}
                </>
              }
              notices={
                <>
                  {remoteChange && (
                    <RemoteChangeNotice change={remoteChange} onCompare={dialogs.compare} keeper={draft} />
                  )}
                  {form.conflict && form.base && (
                    <FileConflict
                      key={form.conflict.updatedAt}
                      file={form.conflict}
                      post={form.base}
                      onCompare={dialogs.compareFile}
                      onSettled={(message) => {
                        form.synced.settled(form.conflict);
                        dialogs.tell(message);
                      }}
                    />
                  )}
                  {dialogs.notice}
                  {!session.isOurs && !session.question && (
                    <Notice role="alert">
                      <p className="min-w-0 flex-1 basis-60">{sessionText.ended}</p>
                      <Button onClick={session.ask}>{sessionText.title}</Button>
                    </Notice>
                  )}
                  {!start.Offer && wasFound.current && <DraftOffer {...offer} />}
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
              <LazyFields label={postFormText.hours} opensFor={wrongHours || hasHours}>
                <HourFields values={values} errors={errors} frozen={busy} onChange={form.change} />
              </LazyFields>
              <ImagePicker
                current={form.base?.featuredImage ?? ''}
                picked={picked}
                frozen={busy}
                onChoose={form.image.choose}
              />
              <LazyFields label={postFormText.details} opensFor={hasDetails}>
                <PostDetails values={values} html={form.html} frozen={busy} onChange={form.change} />
              </LazyFields>
              {currentSite().newsletter && !values.kind && (
                <NewsletterField
                  value={values.newsletter}
                  post={form.base}
                  userId={user.id}
                  frozen={busy}
                  onChange={form.change}
                />
              )}
              <SlugField
                field={field('slug')}
                slug={form.slug}
                isLocked={Boolean(post)}
                isOfPage={Boolean(values.kind)}
                frozen={busy}
              />
            </div>
            <div className="contents" inert={busy}>
              {dialogs.tools}
            </div>
            <Button type="submit" busy={busy} className="w-full">
              {post ? postFormText.update : postFormText.submit}
            </Button>
            {/* Loaded as soon as a picture is chosen, because the network may be down by the time its upload fails. */}
            {picked.file && <UploadState upload={upload} busy={busy} onFault={() => {}} />}
            <p role="status" className="min-h-4 text-xs text-soft">
              {busy && !question && draftText.sending}
            </p>
            {form.synced.files.length > 0 && <FilesNote files={form.synced.files} onFault={() => {}} />}
          </aside>
        </div>
        {question}
      </form>
      {dialogs.dialog}
      {session.question && (
        <SignInAgain user={user} question={session.question} onFault={() => session.question?.(false)} />
      )}
    </>
  );
}

function SavedNote({ saved }: { saved: Saved | undefined }) {
  const isOffline = useSyncExternalStore(followConnection, () => !navigator.onLine);
  if (!saved) return isOffline ? draftText.offline : null;
  const { at, result } = saved;
  if (result === 'full' || result === 'refused') return <strong className="text-danger">{draftText[result]}</strong>;
  const time = timeText(at);
  if (result === 'without-picture') return draftText.withoutPicture({ time });
  return isOffline ? draftText.savedOffline({ time }) : draftText.saved({ time });
}

function followConnection(onChange: () => void): () => void {
  const listening = new AbortController();
  window.addEventListener('online', onChange, listening);
  window.addEventListener('offline', onChange, listening);
  return () => listening.abort();
}
