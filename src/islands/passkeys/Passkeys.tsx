import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { dayText } from '#blog/dates.ts';
import { faultOf } from '#blog/errors.ts';
import { accountText } from '#blog/messages/account.ts';
import { passkeyMessage, passkeyText } from '#blog/messages/passkeys.ts';
import type { Passkey } from '#blog/passkeys.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { $passkeys, canUsePasskeys, loadPasskeys, thisDevice } from '#stores/account/passkeys.ts';
import { Section } from '../account/Section.tsx';
import { useWork } from '../use-work.ts';
import { type Change, PasskeyDialog } from './PasskeyDialog.tsx';

/** The user's passkeys. Hidden if this page cannot use passkeys and the user has none. */
export function Passkeys() {
  const own = useStore($passkeys);
  const [change, setChange] = useState<Change>();
  const { busy, failure, said, run, setFailure, setSaid } = useWork(passkeyMessage);
  const [box, status] = [useRef<HTMLDivElement>(null), useRef<HTMLParagraphElement>(null)];

  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the page is shown.
  useEffect(() => {
    const fail = (error: unknown) => faultOf(error).code !== 403 && setFailure(passkeyMessage(error));
    loadPasskeys().then(() => location.hash === '#passkeys' && box.current?.scrollIntoView(), fail);
  }, []);

  const begin = (next: (device: Awaited<ReturnType<typeof thisDevice>>) => Change) =>
    void run('begin', async () => setChange(next(await thisDevice())));
  const add = () =>
    begin(({ browser, system, isRecent }) => {
      const device = browser && system ? accountText.device({ browser, system }) : browser || system;
      return { kind: 'add', name: device || passkeyText.anyName, isRecent };
    });
  const done = (words: string) => {
    setChange(undefined);
    setSaid(words);
    status.current?.focus();
  };

  if (!canUsePasskeys() && !own?.passkeys.length) return null;
  return (
    <div id="passkeys" ref={box}>
      <Section title={passkeyText.title} help={passkeyText.help}>
        <Banner message={failure} className="mb-5 empty:hidden" />
        {own?.isAsked && (
          <p className="mb-5 rounded-md border border-accent px-4 py-3 text-base">{passkeyText.asked}</p>
        )}
        {own?.passkeys.length === 0 && <p className="mb-5 text-base">{passkeyText.none}</p>}
        {own && own.passkeys.length > 0 && (
          <ul className="mb-4 list-none divide-y divide-hairline p-0">
            {own.passkeys.map((passkey) => (
              <PasskeyItem
                key={passkey.id}
                passkey={passkey}
                busy={busy !== ''}
                onRename={() => setChange({ kind: 'rename', passkey, isRecent: true })}
                onRemove={() => begin(({ isRecent }) => ({ kind: 'remove', passkey, isRecent }))}
              />
            ))}
          </ul>
        )}
        {own && canUsePasskeys() && (
          <Button tone="quiet" busy={busy !== ''} onClick={add}>
            {passkeyText.add}
          </Button>
        )}
        <p role="status" ref={status} tabIndex={-1} className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
          {said}
        </p>
        {change && <PasskeyDialog change={change} onDone={done} onClose={() => setChange(undefined)} />}
      </Section>
    </div>
  );
}

interface PasskeyItemProps {
  readonly passkey: Passkey;
  readonly busy: boolean;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyItem({ passkey, busy, onRename, onRemove }: PasskeyItemProps) {
  const { name, createdAt, usedAt, otherHost, isCloned, isUnproven } = passkey;
  const day = (date: string) => ({ day: dayText(new Date(date)) });
  const warning =
    (isCloned && passkeyText.isCloned) ||
    (isUnproven && passkeyText.isUnproven) ||
    (otherHost && passkeyText.otherHost({ host: otherHost }));
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-48 flex-1 wrap-anywhere">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-soft">
          {passkeyText.addedOn(day(createdAt))} · {usedAt ? passkeyText.usedOn(day(usedAt)) : passkeyText.unused}
        </p>
        {warning && <p className="text-sm text-danger">{warning}</p>}
      </div>
      <div className="flex gap-2">
        <Button tone="quiet" aria-label={passkeyText.renameOf({ name })} onClick={onRename}>
          {passkeyText.rename}
        </Button>
        <Button tone="quiet" aria-label={passkeyText.removeOf({ name })} busy={busy} onClick={onRemove}>
          {passkeyText.remove}
        </Button>
      </div>
    </li>
  );
}
