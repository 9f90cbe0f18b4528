/** A modal native <dialog>. Put `ref={focusFirst}` on the safest choice; otherwise the first control is focused. */
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { Button, type ButtonTone } from './Button.tsx';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Called on Escape and on a click outside. While `busy`, called only if the browser itself closes the dialog. */
  readonly onClose: () => void;
  readonly busy?: boolean;
  readonly wide?: boolean;
  readonly children?: ReactNode;
  readonly actions: ReactNode;
}

/**
 * A `ref` that focuses a control when the dialog opens. Sets the HTML attribute, because React's `autoFocus` takes
 * effect before the dialog opens.
 */
export const focusFirst = (control: HTMLElement | null) => control?.setAttribute('autofocus', '');

export function Dialog(props: DialogProps) {
  const { title, description, onClose, busy = false, wide = false, children, actions } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closes the dialog before it is removed, because removing an open dialog does not restore the focus.
    return () => element?.close();
  }, []);

  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!busy) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key arrives as a `cancel` event.
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={cancel}
      // The browser may close the dialog on a second Escape, despite `preventDefault`.
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && cancel(event)}
      className={`m-auto rounded-md border border-hairline bg-paper p-0 text-ink backdrop:bg-black/50 ${wide ? 'max-h-[calc(100dvh-1rem)] w-[calc(100%-1rem)] max-w-wide' : 'w-[calc(100%-2rem)] max-w-form'}`}
    >
      <div className={wide ? 'flex max-h-[calc(100dvh-1rem)] flex-col p-4 sm:p-6' : 'p-6 sm:p-8'}>
        <h2 id={`${id}-title`} className="text-2xl">
          {title}
        </h2>
        <div className={wide ? 'mt-3 min-h-0 flex-1 overflow-auto' : 'contents'}>
          {description && (
            <p id={`${id}-description`} className={`text-base text-soft ${wide ? 'mb-4' : 'mt-3'}`}>
              {description}
            </p>
          )}
          {children && (wide ? children : <div className="mt-5">{children}</div>)}
        </div>
        <div className={`${wide ? 'mt-4' : 'mt-8'} flex flex-wrap items-center justify-end gap-3`}>{actions}</div>
      </div>
    </dialog>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, 'actions' | 'wide'> {
  /** Labels of the buttons; `working` replaces `confirm` while `busy`. */
  readonly cancel: string;
  readonly confirm: string;
  readonly working?: string;
  readonly tone?: ButtonTone;
  readonly isReady?: boolean;
  /** Id of the form that the confirm button submits; used instead of `onConfirm`. */
  readonly form?: string;
  readonly onConfirm?: () => void;
}

/** A dialog that confirms an action. Its cancel button gets the focus, unless a control in `children` takes it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { cancel, confirm, working = confirm, tone = 'danger', isReady = true, form, onConfirm, ...dialog } = props;
  const { busy = false, onClose } = dialog;
  const actions = (
    <>
      <Button tone="quiet" ref={focusFirst} disabled={busy} onClick={onClose}>
        {cancel}
      </Button>
      <Button
        type={form ? 'submit' : 'button'}
        form={form}
        tone={tone}
        busy={busy}
        disabled={!isReady}
        onClick={onConfirm}
      >
        {busy ? working : confirm}
      </Button>
    </>
  );
  return <Dialog {...dialog} actions={actions} />;
}
