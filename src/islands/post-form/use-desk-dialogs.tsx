/**
 * What opens over the writing desk: two versions of the post, its former ones, the preview. Each is loaded when it is
 * first asked for. Here are their buttons too, and what is said when another version was put into the form.
 */

import { type ReactNode, useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { postFormText, postText, viewMessage } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import { Button } from '#components/Button.tsx';
import { requireSession } from '#stores/auth.ts';
import { findPost } from '#stores/post-actions.ts';
import type { Desk, Taken } from './desk.ts';
import { usePart } from './editor/use-part.ts';
import { Notice } from './Notice.tsx';
import { TryAgain } from './TryAgain.tsx';

type Open = { readonly part: 'versions' | 'preview' } | { readonly part: 'conflict'; readonly theirs: Post };

interface Fault {
  readonly part: Open['part'];
  readonly message: string;
}

export interface DeskDialogs {
  /** Shows the version of the form beside the server's, and lets the writer choose. */
  readonly conflict: (theirs: Post) => void;
  /** The same, with what the server has now. */
  readonly compare: () => void;
  /** Among what the form says by itself. */
  readonly notice: ReactNode;
  /** Beside the button that publishes. */
  readonly tools: ReactNode;
  /** Outside the form, wherever it is put. */
  readonly shown: ReactNode;
}

export function useDeskDialogs(desk: Desk): DeskDialogs {
  const [open, setOpen] = useState<Open>();
  const [taken, setTaken] = useState<Taken>();
  const [fault, setFault] = useState<Fault>();
  const opener = useRef<Element>(null);
  const show = (what: Open) => {
    opener.current = document.activeElement;
    setFault(undefined);
    setOpen(what);
    again?.();
  };
  const close = () => setOpen(undefined);
  // The dialog gives the focus back to the button that opened it, which may be a screen away.
  const seen = useCallback((notice: HTMLElement | null) => void setTimeout(() => notice?.focus()), []);
  const wants = (part: Open['part']) => open?.part === part;
  const Conflict = usePart(wants('conflict'), () => import('./versions/ConflictDialog.tsx'), 'ConflictDialog');
  const Former = usePart(wants('versions'), () => import('./versions/VersionsDialog.tsx'), 'VersionsDialog');
  const Preview = usePart(wants('preview'), () => import('./preview/PreviewDialog.tsx'), 'PreviewDialog');
  const again = Conflict.again ?? Former.again ?? Preview.again;
  /** The dialog gives the focus back to what had it when it came: the button that was pressed first, not this one. */
  const tryAgain = () => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
    again?.();
  };
  /** Pictures that are being uploaded would be lost to a version that is put in their place. */
  const whenReady = async (part: Fault['part'], what: () => Promise<Open | string> | Open) => {
    const wanted = await desk
      .ready()
      .then((obstacle) => obstacle ?? what())
      .catch(viewMessage);
    if (typeof wanted === 'string') setFault({ part, message: wanted });
    else show(wanted);
  };
  const compare = () =>
    whenReady('conflict', async () => {
      if (!desk.base) return postText.notFound;
      const theirs = await findPost(desk.base.id);
      if (!theirs) await requireSession(desk.base.userId);
      return theirs ? { part: 'conflict', theirs } : postText.notFound;
    });
  /** Beside the buttons that opened it. */
  const faultOf = (isConflict: boolean) => {
    if (again && wants('conflict') === isConflict) return <TryAgain onAgain={tryAgain} />;
    if (!fault || (fault.part === 'conflict') !== isConflict) return null;
    return (
      <p role="alert" className="text-danger">
        {fault.message}
      </p>
    );
  };
  const onTaken = (now: Taken) => {
    close();
    setTaken(now);
  };
  const putBack = ({ back }: Taken) => {
    if (back) desk.take(back.version);
    leave();
  };
  /** What had the focus goes: the writer goes on in the text. */
  const leave = () => {
    setTaken(undefined);
    desk.focus();
  };
  const { base } = desk;
  const wiring = base && { desk: { ...desk, base }, onTaken, onClose: close };
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
        {faultOf(false)}
      </>
    ),
    shown:
      open &&
      // Not within the form: what is pressed and chosen there is none of its fields.
      createPortal(
        <div onChange={(event) => event.stopPropagation()}>
          {Conflict.Part && wiring && open.part === 'conflict' && <Conflict.Part {...wiring} theirs={open.theirs} />}
          {Former.Part && wiring && <Former.Part {...wiring} />}
          {Preview.Part && <Preview.Part desk={desk} onClose={close} />}
        </div>,
        document.body,
      ),
  };
}
