/**
 * The dialogs of the post form (conflict, former versions, preview), each loaded when it is first opened; their
 * buttons, and the notice after another version was put into the form.
 */

import { type ReactNode, useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { postFormText, postText, viewMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { Button } from '#components/controls/Button.tsx';
import { requireSession } from '#stores/account/auth.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import type { FormHandle, TakenVersion } from './form-handle.ts';
import { TryAgain } from './lazy/TryAgain.tsx';
import { useLazyComponent } from './lazy/use-lazy-component.ts';
import { Notice } from './notices/Notice.tsx';

type Open = { readonly part: 'versions' | 'preview' | 'share' } | { readonly part: 'conflict'; readonly theirs: Post };

interface Fault {
  readonly part: Open['part'];
  readonly message: string;
}

export interface FormDialogs {
  /** Opens the comparison of the form with `theirs`. */
  readonly conflict: (theirs: Post) => void;
  /** Fetches the server's version and opens the comparison with it. */
  readonly compare: () => void;
  /** Messages among the form's notices. */
  readonly notice: ReactNode;
  /** Buttons beside the one that publishes. */
  readonly tools: ReactNode;
  /** The open dialog, rendered outside the form. */
  readonly dialog: ReactNode;
}

export function useFormDialogs(form: FormHandle): FormDialogs {
  const [open, setOpen] = useState<Open>();
  const [taken, setTaken] = useState<TakenVersion>();
  const [fault, setFault] = useState<Fault>();
  const opener = useRef<Element>(null);
  const show = (what: Open) => {
    opener.current = document.activeElement;
    setFault(undefined);
    setOpen(what);
    retry?.();
  };
  const close = () => setOpen(undefined);
  // The dialog gives the focus back to its opener first, which may be out of view.
  const seen = useCallback((notice: HTMLElement | null) => void setTimeout(() => notice?.focus()), []);
  const wants = (part: Open['part']) => open?.part === part;
  const Conflict = useLazyComponent(wants('conflict'), () => import('./versions/ConflictDialog.tsx'), 'ConflictDialog');
  const Former = useLazyComponent(wants('versions'), () => import('./versions/VersionsDialog.tsx'), 'VersionsDialog');
  const Preview = useLazyComponent(wants('preview'), () => import('./preview/PreviewDialog.tsx'), 'PreviewDialog');
  const Share = useLazyComponent(wants('share'), () => import('../draft-link/DraftLinkDialog.tsx'), 'DraftLinkDialog');
  const retry = Conflict.retry ?? Former.retry ?? Preview.retry ?? Share.retry;
  /** The opener gets the focus first, because the dialog will give the focus back to whatever has it then. */
  const tryAgain = () => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
    retry?.();
  };
  /** Waits for uploads first: another version in the form would lose their pictures. */
  const whenReady = async (part: Fault['part'], what: () => Promise<Open | string> | Open) => {
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
  /** The message stands beside the buttons that opened the dialog. */
  const faultOf = (isConflict: boolean) => {
    if (retry && wants('conflict') === isConflict) return <TryAgain onAgain={tryAgain} />;
    if (!fault || (fault.part === 'conflict') !== isConflict) return null;
    return (
      <p role="alert" className="text-danger">
        {fault.message}
      </p>
    );
  };
  const onTaken = (now: TakenVersion) => {
    close();
    setTaken(now);
  };
  const putBack = ({ back }: TakenVersion) => {
    if (back) form.take(back.version);
    leave();
  };
  /** The focused button disappears, so the focus moves to the text. */
  const leave = () => {
    setTaken(undefined);
    form.focus();
  };
  const { base } = form;
  const wiring = base && { form: { ...form, base }, onTaken, onClose: close };
  return {
    conflict: (theirs) => show({ part: 'conflict', theirs }),
    compare: () => void compare(),
    notice: (
      <>
        {faultOf(true)}
        {taken && (
          <Notice ref={seen} tabIndex={-1}>
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
        {faultOf(false)}
      </>
    ),
    dialog:
      open &&
      // The portal is outside the form: fields in the dialog are no fields of the post.
      createPortal(
        <div onChange={(event) => event.stopPropagation()}>
          {Conflict.Component && wiring && open.part === 'conflict' && (
            <Conflict.Component {...wiring} theirs={open.theirs} />
          )}
          {Former.Component && wiring && <Former.Component {...wiring} />}
          {Share.Component && form.base && <Share.Component slug={form.base.id} onClose={close} />}
          {Preview.Component && <Preview.Component form={form} onClose={close} />}
        </div>,
        document.body,
      ),
  };
}
