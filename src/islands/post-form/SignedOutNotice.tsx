/** Says that the session has ended, where it is known before the writer publishes. */

import { sessionText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';

export function SignedOutNotice({ onSignIn }: { onSignIn: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md bg-well px-4 py-3 text-base"
    >
      <p>{sessionText.ended}</p>
      <Button onClick={onSignIn}>{sessionText.title}</Button>
    </div>
  );
}
