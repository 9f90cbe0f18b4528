import { useId, useState } from 'react';
import { passkeyFormSchema } from '#blog/forms/account-forms.ts';
import { passkeyMessage, passkeyText } from '#blog/messages/passkeys.ts';
import { PASSKEY_NAME_LENGTH, type Passkey } from '#blog/passkeys.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { ConfirmDialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { addPasskey, removePasskey, renamePasskey } from '#stores/account/passkeys.ts';
import { useForm } from '../use-form.tsx';
import { useProof } from './use-proof.tsx';

/** The passkey change to confirm. `isRecent` is true if the session is so recent that no proof is required. */
export type Change = { readonly isRecent: boolean } & (
  | { readonly kind: 'add'; readonly name: string }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }
);

interface PasskeyDialogProps {
  readonly change: Change;
  /** Called with a message for the user after the change. */
  readonly onDone: (said: string) => void;
  readonly onClose: () => void;
}

export function PasskeyDialog({ change, onDone, onClose }: PasskeyDialogProps) {
  const { kind } = change;
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const proof = useProof();
  const isProven = kind === 'rename' || (change.isRecent && !isRefused);
  const { field, busy, failure, onSubmit } = useForm({
    schema: passkeyFormSchema(!isProven && !proof.isPasskey),
    initial: { name: kind === 'add' ? change.name : change.passkey.name, password: '' },
    submit: async ({ name, password }) => {
      const proven = isProven ? undefined : await proof.prove(password);
      if (kind === 'add') await addPasskey(name, proven);
      else if (kind === 'rename') await renamePasskey(change.passkey.id, name);
      else await removePasskey(change.passkey.id, proven);
      onDone(passkeyText[DONE[kind]]({ name }));
      return { isLeaving: true };
    },
    message: (error) => {
      if (error instanceof Error && error.message === 'proof-needed') setRefused(true);
      return passkeyMessage(error);
    },
  });
  const isRemoval = kind === 'remove';
  return (
    <ConfirmDialog
      title={kind === 'add' ? passkeyText.add : passkeyText[`${kind}Of`]({ name: change.passkey.name })}
      description={DESCRIPTIONS[kind]}
      cancel={passkeyText.cancel}
      confirm={kind === 'rename' ? passkeyText.save : passkeyText[kind]}
      working={passkeyText.working}
      tone={isRemoval ? 'danger' : 'primary'}
      form={id}
      busy={busy}
      onClose={onClose}
    >
      <Banner message={failure} className="mb-5 empty:hidden" />
      <form id={id} noValidate onSubmit={onSubmit} className="grid gap-4">
        {!isRemoval && (
          <Field
            label={passkeyText.name}
            help={passkeyText.nameHelp}
            maxLength={PASSKEY_NAME_LENGTH}
            autoComplete="off"
            ref={focusFirst}
            {...field('name')}
          />
        )}
        {!isProven && proof.field(field('password'))}
      </form>
    </ConfirmDialog>
  );
}

const DONE = { add: 'added', rename: 'renamed', remove: 'removed' } as const;
const DESCRIPTIONS = { add: passkeyText.addHelp, rename: undefined, remove: passkeyText.removeQuestion };
