/**
 * A modal question in a native <dialog>, in which the browser traps the focus, closes on Escape and gives the focus
 * back.
 * The control with `focusFirst`, else the first one, is focused: mark the harmless choice.
 */
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  /** Called by Escape and by a press beside the dialog, but not while `busy`. */
  readonly onClose: () => void;
  /** The action is running: the dialog stays open. */
  readonly busy?: boolean;
  /** As wide and high as the window allows; the content scrolls between title and buttons. */
  readonly wide?: boolean;
  readonly children?: ReactNode;
  readonly actions: ReactNode;
}

/**
 * The `ref` of the control that is focused when its dialog opens. React's `autoFocus` acts before the dialog is shown;
 * the browser goes by the attribute.
 */
export const focusFirst = (control: HTMLElement | null) => control?.setAttribute('autofocus', '');

export function Dialog({
  open,
  title,
  description,
  onClose,
  busy = false,
  wide = false,
  children,
  actions,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    element.showModal();
    // Closed before it is removed: a dialog that is only removed gives no focus back.
    return () => element.close();
  }, [open]);

  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!busy) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape, the keyboard's way out, arrives as `cancel`.
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={cancel}
      // The browser may close it itself after a second Escape, and reports it a frame later, when it may be open again.
      onClose={(event) => open && !event.currentTarget.open && onClose()}
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
