/** Says that the session has ended, where it is known before the writer publishes. */

import { sessionText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { Notice } from './Notice.tsx';

export function SignedOutNotice({ onSignIn }: { onSignIn: () => void }) {
  return (
    <Notice role="alert">
      <p className="min-w-0 flex-1 basis-60">{sessionText.ended}</p>
      <Button onClick={onSignIn}>{sessionText.title}</Button>
    </Notice>
  );
}
