import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { sessionText } from '#blog/messages.ts';
import { type FormValues, formValues, type Post, sameFormValues } from '#blog/post.ts';
import type { SyncedFile } from '#blog/synced-file.ts';
import type { User } from '#blog/user.ts';
import { expectPictures } from '#stores/pictures/media.ts';
import { keepFormer } from '#stores/posts/former-versions.ts';
import { followPost, type RemoteChange } from '#stores/posts/live-post.ts';
import { listSyncedFiles } from '#stores/posts/synced-files.ts';
import { currentSite } from '#stores/site.ts';
import { useFields } from '../form.ts';
import { type Draft, type DraftFields, deleteDraft } from './draft/draft-store.ts';
import { type FormStart, useRecoveredDrafts } from './draft/recovered-drafts.ts';
import { useDraft } from './draft/use-draft.ts';
import type { EditorHandle } from './editor/ContentEditor.tsx';
import { useSlug } from './fields/TextFields.tsx';
import { usePickedImage } from './fields/use-picked-image.ts';
import { useSession } from './notices/use-session.ts';
import { type Failure, loadPostSchema, loadQueue, useSending } from './sending/use-sending.tsx';
import { useFormDialogs } from './use-form-dialogs.tsx';
import { whenIdle } from './when-idle.ts';

export interface PostFormProps {
  readonly user: User;
  readonly post?: Post | undefined;
  readonly start: FormStart;
  /** Called when the draft is queued, to be sent later. */
  readonly onQueued: () => void;
}

/** Returns the initial values of a new post. If the site has a newsletter, the post goes to subscribers by default. */
const emptyPost = () => ({ status: 'active', ...(currentSite().newsletter && { newsletter: 'send' }) });

export function usePostForm({ user, post, start: { own, recovered: found, suggested }, onQueued }: PostFormProps) {
  const first = own?.draft ?? suggested;
  const [base, setBase] = useState(own?.base ?? post);
  const [failure, setFailure] = useState<Failure>();
  const [undo, setUndo] = useState<() => void>();
  const { values, errors, field, set, check } = useFields(loadPostSchema, {
    ...formValues(first ?? post ?? emptyPost()),
    slug: post?.id ?? first?.slug ?? '',
  });
  const content = useRef<EditorHandle>(null);
  const html = () => content.current?.html() ?? values.content;
  const image = usePickedImage(own?.picture, () => {
    setFailure(undefined);
    touched();
  });
  const { picked } = image;
  const picture = picked.file ?? base?.featuredImage ?? '';
  const slug = useSlug(Boolean(post), first?.slugEdited, (made) => set({ slug: made }));

  const session = useSession(user);
  const loadAhead = useLoadAhead(base, session.hasEnded);
  const words = (): DraftFields => ({
    ...values,
    content: content.current?.html(true) ?? values.content,
    slugEdited: slug.isEdited(),
  });
  const draft = useDraft(user.id, post?.id ?? '', own, () => ({
    ...words(),
    picture: picked.file,
    basedOn: base?.updatedAt,
  }));
  const recovered = useRecoveredDrafts(draft, base, found);
  const { save } = draft;
  // Stores a chosen picture at once, because there is no time to read the file when the page closes.
  useEffect(() => {
    if (picked.file && !picked.busy) void save();
  }, [picked, save]);

  const touched = () => {
    draft.touched();
    if (undo) setUndo(undefined);
    loadAhead();
  };
  const change = (changed: Partial<FormValues>) => {
    set(changed);
    touched();
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
    // Deletes the old draft once this form's own draft contains the same text and pictures.
    if ((await draft.save()) === 'kept' && isOurs) await deleteDraft(kept);
  };
  const discard = async () => {
    const [before, { file }] = [words(), picked];
    fill({ ...formValues(base ?? emptyPost()), slug: '', slugEdited: false }, undefined);
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

  const synced = useSyncedFiles(post);
  const [afterSaving, setAfterSaving] = useState<() => Promise<unknown>>();
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
    afterSaving: (work) => setAfterSaving(() => work),
    rebase,
    focus: () => content.current?.focus(),
    ready: async () => content.current?.settled(),
  });
  const sending = useSending({
    ...{ user, base, fields: { values, set, check }, content, image, session, draft },
    setFailure,
    ...{ afterSaving, onQueued },
    before: own?.attempt,
    onConflict: dialogs.conflict,
  });
  const [news, setNews] = useState<RemoteChange>();
  const onNews = useEffectEvent((change: RemoteChange, now: Post | undefined) => {
    // Ignores changes that arrive while the form is being sent, because they include the form's own update.
    if (sending.busy) return;
    const shown = { ...values, title: values.title.trim(), content: html() };
    // The form may already show this version, for example after an update whose response was lost.
    if (now && now.featuredImage === picture && sameFormValues(now, shown)) rebase(now);
    else setNews(change);
  });
  useEffect(() => {
    setNews(undefined);
    return base && followPost(base, onNews);
  }, [base]);
  const remoteChange = failure?.isGone ? 'deleted' : (news ?? (failure?.theirs && 'changed'));
  // These failures are shown in a notice with a button, not as the form's message.
  const isTold = failure?.theirs || failure?.isGone || (failure?.message === sessionText.ended && !session.isOurs);

  return {
    ...{ base, values, errors, field, content, html, image, slug, change, touched },
    ...{ draft, recovered, restore, discard, undo },
    ...{ synced, conflict: afterSaving ? undefined : synced.files.find(({ state }) => state === 'conflict') },
    ...{ session, dialogs, sending, remoteChange, failure: isTold ? undefined : failure?.message },
  };
}

/**
 * Returns a function that preloads the code for sending and stores `base` as a previous version. Calling it again does
 * nothing unless `base` has changed. Passes errors from storing to `onFault`. Ignores errors from loading, because
 * sending loads the code again and shows them.
 */
function useLoadAhead(base: Post | undefined, onFault: (error: unknown) => unknown): () => void {
  const begun = useRef(false);
  const kept = useRef<Post>(undefined);
  return () => {
    if (!begun.current)
      whenIdle(() => {
        void expectPictures();
        loadPostSchema().catch(() => {});
        loadQueue().catch(() => {});
      });
    begun.current = true;
    if (!base || kept.current === base) return;
    kept.current = base;
    whenIdle(() => void keepFormer(base).catch(onFault));
  };
}

/** Returns the post's files in synced folders; none until they are loaded, or if they cannot be read. */
function useSyncedFiles(post: Post | undefined) {
  const [files, setFiles] = useState<readonly SyncedFile[]>([]);
  useEffect(() => {
    if (post) whenIdle(() => listSyncedFiles(post).then(setFiles, () => {}));
  }, [post]);
  const settled = (file: SyncedFile | undefined) =>
    setFiles(files.map((each) => (each === file ? { ...file, state: 'settled' } : each)));
  return { files, settled };
}
