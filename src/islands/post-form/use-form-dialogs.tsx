import { useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { postFormText, postText, viewMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import type { SyncedFile } from '#blog/synced-file.ts';
import { Button } from '#components/controls/Button.tsx';
import { requireSession } from '#stores/account/auth.ts';
import type { FileVersion } from '#stores/posts/file-conflicts.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import { lazyPart, TryAgain } from '../lazy/lazy-part.tsx';
import type { FormHandle, TakenVersion } from './form-handle.ts';
import { Notice } from './notices/Notice.tsx';

const ConflictDialog = lazyPart(() => import('./versions/ConflictDialog.tsx'), 'ConflictDialog');
const VersionsDialog = lazyPart(() => import('./versions/VersionsDialog.tsx'), 'VersionsDialog');
const PreviewDialog = lazyPart(() => import('./preview/PreviewDialog.tsx'), 'PreviewDialog');
const DraftLinkDialog = lazyPart(() => import('../draft-link/DraftLinkDialog.tsx'), 'DraftLinkDialog');

type Open =
  | { readonly part: 'versions' | 'preview' | 'share' }
  | { readonly part: 'conflict'; readonly theirs: Post | FileVersion; readonly file?: SyncedFile };

/** The reason why a dialog did not open: a message, or the dialog whose code could not be loaded. */
interface Fault {
  readonly part: Open['part'];
  readonly message?: string;
  readonly failed?: Open;
}

export function useFormDialogs(form: FormHandle) {
  const [open, setOpen] = useState<Open>();
  const [taken, setTaken] = useState<TakenVersion>();
  const [fault, setFault] = useState<Fault>();
  const opener = useRef<Element>(null);
  const show = (what: Open) => {
    opener.current = document.activeElement;
    setFault(undefined);
    setOpen(what);
  };
  const close = () => setOpen(undefined);
  /** Waits for uploads before a dialog opens, because restoring a version would lose pictures still being uploaded. */
  const whenReady = async (part: Open['part'], what: () => Promise<Open | string> | Open) => {
    const wanted = await form
      .ready()
      .then((obstacle) => obstacle ?? what())
      .catch(viewMessage);
    if (typeof wanted === 'string') setFault({ part, message: wanted });
    else show(wanted);
  };
  const compare = () =>
    whenReady('conflict', async () => {
      if (!form.base) return postText.notFound;
      const theirs = await findPost(form.base.id);
      if (!theirs) await requireSession(form.base.userId);
      return theirs ? { part: 'conflict', theirs } : postText.notFound;
    });
  const compareFile = (file: SyncedFile, version: () => Promise<FileVersion>) =>
    whenReady('conflict', async () => ({ part: 'conflict', theirs: await version(), file }));
  const onTaken = (now: TakenVersion) => {
    close();
    setTaken(now);
  };
  const putBack = ({ back }: TakenVersion) => {
    if (back) form.take(back.version);
    back?.undo?.();
    leave();
  };
  /** Closes the notice and focuses the text, because the focused button disappears. */
  const leave = () => {
    setTaken(undefined);
    form.focus();
  };
  // Focuses the notice, because the opener may be out of view. Waits until the closed dialog has focused the opener.
  const focusNotice = useCallback((notice: HTMLElement | null) => void setTimeout(() => notice?.focus()), []);

  const tryAgain = (failed: Open) => {
    // Focuses the opener first, because the dialog will return the focus to the element that had it before.
    if (opener.current instanceof HTMLElement) opener.current.focus();
    show(failed);
  };
  const { failed } = fault ?? {};
  const faultNote = failed ? (
    <TryAgain onAgain={() => tryAgain(failed)} />
  ) : (
    <p role="alert" className="text-danger">
      {fault?.message}
    </p>
  );
  const { base } = form;
  const edited = base && { form: { ...form, base }, onTaken };
  const closing = {
    onClose: close,
    onFault: () => {
      close();
      if (open) setFault({ part: open.part, failed: open });
    },
  };
  return {
    conflict: (theirs: Post) => show({ part: 'conflict', theirs }),
    compare,
    compareFile,
    tell: (message: string) => setTaken({ message }),
    notice: (
      <>
        {fault?.part === 'conflict' && faultNote}
        {taken && (
          <Notice ref={focusNotice} tabIndex={-1}>
            <p role="status" className="min-w-0 flex-1 basis-60">
              {taken.message}
            </p>
            {taken.back && (
              <Button tone="quiet" onClick={() => putBack(taken)}>
                {taken.back.label}
              </Button>
            )}
            <Button tone="quiet" onClick={leave}>
              {postFormText.closeNotice}
            </Button>
          </Notice>
        )}
      </>
    ),
    tools: (
      <>
        <Button tone="quiet" onClick={() => show({ part: 'preview' })}>
          {postFormText.preview}
        </Button>
        {base && (
          <Button tone="quiet" onClick={() => whenReady('versions', () => ({ part: 'versions' }))}>
            {postFormText.versions}
          </Button>
        )}
        {base?.status === 'inactive' && (
          <Button tone="quiet" onClick={() => show({ part: 'share' })}>
            {postFormText.shareDraft}
          </Button>
        )}
        {fault && fault.part !== 'conflict' && faultNote}
      </>
    ),
    dialog:
      open &&
      // The portal is outside the form, so that the dialog's fields are not submitted with the post.
      createPortal(
        <div onChange={(event) => event.stopPropagation()}>
          {open.part === 'conflict' && edited && (
            <ConflictDialog {...edited} {...closing} theirs={open.theirs} file={open.file} />
          )}
          {open.part === 'versions' && edited && <VersionsDialog {...edited} {...closing} />}
          {open.part === 'share' && base && <DraftLinkDialog slug={base.id} {...closing} />}
          {open.part === 'preview' && <PreviewDialog form={form} {...closing} />}
        </div>,
        document.body,
      ),
  };
}
