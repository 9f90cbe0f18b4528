/** In the place of what did not come: says so, and tries again. */

import { listText, postFormText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';

interface TryAgainProps {
  /** In words; without them, that the part could not be loaded. */
  readonly fault?: string;
  readonly onAgain: () => void;
}

export function TryAgain({ fault = postFormText.notLoaded, onAgain }: TryAgainProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="text-danger">{fault}</p>
      <Button
        tone="quiet"
        onClick={({ currentTarget }) => {
          // It goes away now; within a dialog the focus would fall out of that.
          currentTarget.closest('dialog')?.querySelector<HTMLElement>('[autofocus]')?.focus();
          onAgain();
        }}
      >
        {listText.retry}
      </Button>
    </div>
  );
}
