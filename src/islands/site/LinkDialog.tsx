/** Shows a one-time link, which cannot be shown again because it is not stored. */
import { useState } from 'react';
import { peopleText } from '#blog/messages/people.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';

export interface OneTimeLink {
  readonly url: string;
  readonly name: string;
  readonly time: string;
  readonly note?: string;
}

export function LinkDialog({ link: { url, name, time, note }, onClose }: { link: OneTimeLink; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog
      open
      title={peopleText.linkTitle}
      description={`${note ? `${note} ` : ''}${peopleText.linkHelp({ name, time })}`}
      onClose={onClose}
      actions={
        <>
          <p role="status" className="text-base text-soft">
            {copied && peopleText.copied}
          </p>
          <Button tone="quiet" onClick={onClose}>
            {peopleText.close}
          </Button>
          <Button onClick={() => void navigator.clipboard.writeText(url).then(() => setCopied(true))}>
            {peopleText.copy}
          </Button>
        </>
      }
    >
      <Field label={peopleText.link} readOnly value={url} onFocus={({ target }) => target.select()} />
    </Dialog>
  );
}
