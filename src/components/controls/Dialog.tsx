/**
 * A modal native <dialog>: the browser traps the focus, closes it on Escape and restores the focus. Put `focusFirst`
 * on the harmless choice; otherwise the first control is focused.
 */
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  /** Called on Escape and on a press outside the dialog, unless `busy`. */
  readonly onClose: () => void;
  /** Set while the action runs: the dialog stays open. */
  readonly busy?: boolean;
  /** Fills the window; the content scrolls between title and buttons. */
  readonly wide?: boolean;
  readonly children?: ReactNode;
  readonly actions: ReactNode;
}

/**
 * A `ref` for the control to focus when the dialog opens. React's `autoFocus` runs too early; the browser reads the
 * attribute.
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
    // Closed before removal, because removing an open dialog does not restore the focus.
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
      // The browser may close the dialog on a second Escape and report it a frame later, when it may be open again.
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
