/** What happens when the post is sent, in its order: what is on its way is waited for, the words are checked, then sent. */

import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type PostForm, postSchema } from '#blog/forms.ts';
import { formText, sessionText } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { type Attempt, createPost, updatePost } from '#stores/post-actions.ts';
import { type Fields, useSubmit } from '../form.ts';
import type { ContentHandle } from './ContentField.tsx';
import { type Failure, failureOf } from './failure.ts';
import type { DraftKeeper } from './use-draft.ts';
import type { ImageChoice } from './use-picked-image.ts';
import { type PublishWarning, usePublishWarning } from './use-publish-warning.ts';
import type { Session } from './use-session.ts';
import { type Upload, useUpload } from './use-upload.ts';

interface SendingOptions {
  readonly user: User;
  /** The version that an update takes the place of; none while a new post is written. */
  readonly base: Post | undefined;
  readonly fields: Pick<Fields<Record<'title' | 'slug' | 'status' | 'content', string>>, 'set' | 'check'>;
  readonly content: RefObject<ContentHandle | null>;
  readonly image: ImageChoice;
  readonly session: Session;
  readonly draft: DraftKeeper;
  /** Shows why it came to nothing; undefined takes away what is shown. */
  readonly tell: (failure: Failure | undefined) => void;
  /** Somebody else changed the post meanwhile. */
  readonly onConflict: (theirs: Post) => void;
}

export interface Sending {
  /** From the press on: the form stands still, what is sent is what is shown. */
  readonly busy: boolean;
  readonly onSubmit: ReturnType<typeof useSubmit>['onSubmit'];
  readonly upload: Upload;
  readonly warning: PublishWarning;
}

export function useSending(options: SendingOptions): Sending {
  const { user, base, fields, content, image, session, draft, tell, onConflict } = options;
  const upload = useUpload();
  const warning = usePublishWarning();
  const [attempt] = useState<Attempt>({});
  const sent = useRef(false);
  // Come back to as the browser kept it, the form would stand still for good.
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (persisted && sent.current) location.reload();
    };
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);

  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    tell(undefined);
    setBusy(true);
    const stop = (failure?: Failure) => {
      flushSync(() => {
        setBusy(false);
        tell(failure);
      });
      // Above the form, which may be a screen away.
      if (failure) form.querySelector('[role=alert] > p')?.scrollIntoView({ block: 'nearest' });
    };
    if (!session.isOurs && !(await session.ask())) return stop({ message: sessionText.ended });
    // Pictures that are still on their way belong to the text, and one that is being looked at is chosen.
    const [{ file, fault }, obstacle] = await Promise.all([image.settled(), content.current?.settled()]);
    if (obstacle) return stop({ message: obstacle });
    const html = content.current?.html();
    if (html !== undefined) fields.set({ content: html });
    flushSync(() => setBusy(false));
    const input = fields.check(postSchema, form);
    const missing = fault ?? (base || file ? undefined : formText.imageRequired);
    if (missing) image.set({ fault: missing });
    if (!base && missing) tell({ message: missing });
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
    try {
      const saved = await sendSignedIn(() => send(input, file));
      await draft.done();
      sent.current = true;
      location.assign(`/post/${saved.id}`);
    } catch (error) {
      if (upload.ended()) return setBusy(false);
      const failure = failureOf(error);
      if (failure.theirs) onConflict(failure.theirs);
      stop(failure);
    }
  });

  const send = (input: PostForm, file: File | undefined): Promise<Post> => {
    const sending = { ...upload.begin(), attempt };
    if (base) return updatePost(base, { ...input, image: file }, sending);
    return createPost({ ...input, userId: user.id, image: file as File }, sending);
  };
  const sendSignedIn = (work: () => Promise<Post>): Promise<Post> =>
    work().catch(async (error: unknown) => {
      if (!(await session.hasEnded(error))) throw error;
      if (await session.ask()) return sendSignedIn(work);
      throw new Error(sessionText.ended);
    });

  return { busy, onSubmit, upload, warning };
}
