/**
 * Sends the form: waits for uploads, validates the fields, asks about undescribed pictures, then creates or updates
 * the post.
 */

import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as z from 'zod/mini';
import { faultOf, isForbidden, isUnreachable } from '#blog/errors.ts';
import type { PostForm } from '#blog/forms/forms.ts';
import { formText, postFormText, postMessage, sessionText } from '#blog/messages.ts';
import { type FormValues, formInput, isPage, type Post } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { hoursOf } from '#blog/schedule/hours.ts';
import type { User } from '#blog/user.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import {
  type Attempt,
  createPost,
  EditConflict,
  type Progress,
  type Sending,
  updatePost,
} from '#stores/posts/post-actions.ts';
import { type Fields, useSubmit } from '../../form.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { useWindowEvent } from '../../use-window-event.ts';
import type { DraftKeeper } from '../draft/use-draft.ts';
import type { EditorHandle } from '../editor/ContentEditor.tsx';
import type { ImageChoice } from '../fields/use-picked-image.ts';
import type { Session } from '../notices/use-session.ts';

const PublishDialog = lazyPart(() => import('./PublishDialog.tsx'), 'PublishDialog');

export const loadPostSchema = async (): Promise<z.ZodMiniType<PostForm>> =>
  (await importWithRetry(() => import('#blog/forms/forms.ts'))).postSchema;

export const loadQueue = () => importWithRetry(() => import('../../queue/put-in-line.ts'));

export interface Failure {
  readonly message: string;
  readonly theirs?: Post;
  readonly isGone?: boolean;
}

interface SendingOptions {
  readonly user: User;
  readonly base: Post | undefined;
  readonly fields: Pick<Fields<FormValues & { readonly slug: string }, PostForm>, 'values' | 'set' | 'check'>;
  readonly content: RefObject<EditorHandle | null>;
  readonly image: ImageChoice;
  readonly session: Session;
  readonly draft: DraftKeeper;
  readonly setFailure: (failure: Failure | undefined) => void;
  readonly afterSaving: (() => Promise<unknown>) | undefined;
  /** State of an earlier attempt to send this draft from the queue. */
  readonly before: Attempt | undefined;
  readonly onQueued: () => void;
  readonly onConflict: (theirs: Post) => void;
}

/** Locks the fields (`busy`) as soon as the form is submitted, so that the form shows exactly what is sent. */
export function useSending(options: SendingOptions) {
  const { user, base, fields, content, image, session, draft, setFailure, afterSaving, before, onQueued, onConflict } =
    options;
  const upload = useUpload();
  const { mayPublish, question } = useDescriptionQuestion();
  const [attempt] = useState<Attempt>(before ?? {});
  const sent = useRef(false);
  // Reloads a page restored from the back/forward cache after sending, because its form would otherwise stay locked.
  useWindowEvent('pageshow', ({ persisted }) => persisted && sent.current && location.reload());

  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure(undefined);
    setBusy(true);
    const stop = (failure?: Failure) => {
      flushSync(() => {
        setBusy(false);
        setFailure(failure);
      });
      // Scrolls to the message, which is at the top of the form and may be out of view.
      if (failure) form.querySelector('[role=alert] > p')?.scrollIntoView({ block: 'nearest' });
    };
    await submit(form, stop).catch((error: unknown) => stop(failureOf(error)));
  });

  const submit = async (form: HTMLFormElement, stop: (failure?: Failure) => void): Promise<void> => {
    let isCutOff = !navigator.onLine;
    if (!isCutOff && !session.isOurs && !(await session.ask())) return stop({ message: sessionText.ended });
    // Waits for uploads in the text, and for the check of a chosen featured image.
    const [{ file, fault }, obstacle] = await Promise.all([image.settled(), content.current?.settled()]);
    isCutOff ||= Boolean(obstacle) && (await loadQueue().then((queue) => queue.isCutOff()));
    if (obstacle && !isCutOff) return stop({ message: obstacle });
    const unchecked = await loadPostSchema().then(() => undefined, failureOf);
    if (unchecked) return stop(unchecked);
    const html = content.current?.html();
    if (html !== undefined) fields.set({ content: html });
    flushSync(() => setBusy(false));
    const checked = await fields.check(form);
    const input = checked && { ...checked, ...hoursOf(checked) };
    const needsPicture = !base && !file && !isPage(fields.values);
    const missing = needsPicture ? (fault ?? formText.imageRequired) : undefined;
    if (missing) image.set({ fault: missing });
    if (!base && missing) setFailure({ message: missing });
    if (missing || !input || focusUntaken(form)) {
      if (input && missing) form.querySelector<HTMLElement>('input[type=file]')?.focus();
      return;
    }
    setBusy(true);
    if (input.status === 'active' && !(await mayPublish(content.current?.undescribed() ?? 0))) {
      stop();
      content.current?.describe();
      return;
    }
    try {
      if (isCutOff && (await isQueued(file))) return;
      if (obstacle) return stop({ message: obstacle });
      const saved = await sendSignedIn(() => send(input, file));
      // The post is already saved. If `afterSaving` fails, the conflict with the synced file appears again when the
      // post is next opened.
      await afterSaving?.().catch((error: unknown) => console.error('afterSaving:', error));
      await draft.done();
      sent.current = true;
      location.assign(addressOfPost(saved));
    } catch (error) {
      if (upload.ended()) return setBusy(false);
      if (isUnreachable(error) && !isCutOff && (await isQueued(file))) return;
      const failure = failureOf(error, { isUpdate: base !== undefined && !file });
      if (failure.theirs) onConflict(failure.theirs);
      stop(failure);
    }
  };

  /** Queues the draft. If it cannot be queued, returns false; the form then sends it or shows why it was not sent. */
  const isQueued = async (file: File | undefined): Promise<boolean> => {
    if (afterSaving) return false;
    const { putInLine } = await loadQueue();
    const done = await putInLine(draft, { attempt, base, file });
    if (done) onQueued();
    return done;
  };

  const send = (input: PostForm, file: File | undefined): Promise<Post> => {
    const sending = { ...upload.begin(), attempt };
    const changes = { ...formInput(fields.values), ...input };
    if (base) return updatePost(base, { ...changes, image: file }, sending);
    return createPost({ ...changes, userId: user.id, image: file }, sending);
  };
  const sendSignedIn = (work: () => Promise<Post>): Promise<Post> =>
    work().catch(async (error: unknown) => {
      if (!(await session.hasEnded(error))) throw error;
      if (await session.ask()) return sendSignedIn(work);
      throw new Error(sessionText.ended);
    });

  return { busy, onSubmit, upload, question };
}

export type Upload = ReturnType<typeof useUpload>;

function useUpload() {
  const [progress, setProgress] = useState<Progress>();
  const [failed, setFailed] = useState(false);
  const running = useRef<{ abort: AbortController; last?: Progress }>(undefined);
  return {
    progress,
    failed,
    cancel: progress && progress.percent < 100 ? () => running.current?.abort.abort() : undefined,
    begin: (): Sending => {
      const now: typeof running.current = { abort: new AbortController() };
      running.current = now;
      setFailed(false);
      const onProgress = (told: Progress) => {
        now.last = told;
        setProgress(told);
      };
      return { onProgress, signal: now.abort.signal };
    },
    /** Hides the progress after a failed save. Returns true if the writer stopped the upload. */
    ended: () => {
      const { abort, last } = running.current ?? {};
      const stopped = abort?.signal.aborted === true;
      setProgress(undefined);
      setFailed(last !== undefined && last.percent < 100 && !stopped);
      return stopped;
    },
  };
}

function useDescriptionQuestion() {
  const [asked, setAsked] = useState<{ pictures: number; answer: (publish: boolean) => void }>();
  const accepted = useRef(0);
  /** Resolves to true if all pictures are described, or if the writer agrees (or has agreed) to publish anyway. */
  const mayPublish = async (pictures: number) => {
    if (pictures <= accepted.current) return true;
    const publish = await new Promise<boolean>((answer) => setAsked({ pictures, answer }));
    if (publish) accepted.current = pictures;
    setAsked(undefined);
    return publish;
  };
  // If the dialog cannot be loaded, the post is published without asking.
  return { mayPublish, question: asked && <PublishDialog {...asked} onFault={() => asked.answer(true)} /> };
}

/**
 * Returns the message and state for a failed save. `isUpdate` is true if an existing post was sent without a new
 * picture.
 */
function failureOf(error: unknown, { isUpdate = false } = {}): Failure {
  if (error instanceof EditConflict) return { message: postFormText.changedElsewhere, theirs: error.post };
  if (faultOf(error).type === 'document_not_found') return { message: postFormText.deletedElsewhere, isGone: true };
  return { message: isUpdate && isForbidden(error) ? postFormText.notYours : postMessage(error) };
}

/** Focuses the first input with rejected text, such as an invalid tag or date. Returns false if no input has any. */
function focusUntaken(form: HTMLFormElement): boolean {
  const inputs = [...form.elements].filter((control) => control instanceof HTMLInputElement);
  const untaken = inputs.find(({ validity }) => validity.customError || validity.badInput);
  // Shows the control's error and opens the fields around it.
  if (untaken) flushSync(() => untaken.checkValidity());
  untaken?.focus();
  return untaken !== undefined;
}
