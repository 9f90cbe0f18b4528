import { listText, postFormText } from '#blog/messages.ts';
import { Button } from '#components/controls/Button.tsx';

export function TryAgain({ fault = postFormText.notLoaded, onAgain }: { fault?: string; onAgain: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="text-danger">{fault}</p>
      <Button
        tone="quiet"
        onClick={({ currentTarget }) => {
          // The button disappears, so the focus moves to the dialog's initial control.
          currentTarget.closest('dialog')?.querySelector<HTMLElement>('[autofocus]')?.focus();
          onAgain();
        }}
      >
        {listText.retry}
      </Button>
    </div>
  );
}
