import { nameSchema } from '#blog/forms/account-forms.ts';
import { accountText } from '#blog/messages/account.ts';
import type { User } from '#blog/user.ts';
import { Field } from '#components/controls/Field.tsx';
import { changeName } from '#stores/account/account.ts';
import { ChangeForm } from './ChangeForm.tsx';
import { Section } from './Section.tsx';
import { useChange } from './use-change.ts';

export function NameForm({ user }: { user: User }) {
  const change = useChange({
    schema: nameSchema,
    initial: { name: user.name },
    send: changeName,
    done: () => accountText.nameSaved,
  });
  return (
    <Section title={accountText.name} help={accountText.nameHelp}>
      <ChangeForm change={change} submit={accountText.saveName}>
        <Field label={accountText.name} autoComplete="name" {...change.field('name')} />
      </ChangeForm>
    </Section>
  );
}
