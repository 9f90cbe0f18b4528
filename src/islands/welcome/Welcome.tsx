/** /welcome: where one-time links lead, of an invitation or after a lost password. */

import { useEffect, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { recoveryText } from '#blog/messages/recovery.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { shellText } from '#blog/messages.ts';
import { welcomeSchema } from '#blog/people.ts';
import { HOME, LOGIN } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/Banner.tsx';
import { Button, ButtonLink } from '#components/Button.tsx';
import { Field } from '#components/Field.tsx';
import { Spinner } from '#components/Spinner.tsx';
import { changeName } from '#stores/account.ts';
import { arrive, setPassword } from '#stores/people.ts';
import { useFields, useSubmit } from '../form.ts';
import { useReloadOnNewLink } from '../reload-on-new-link.ts';

export default function Welcome() {
  const [user, setUser] = useState<User>();
  const [failure, setFailure] = useState('');
  const [isWrong, setWrong] = useState(false);
  useReloadOnNewLink();
  useEffect(() => {
    const { hash, search, pathname } = location;
    // A link that signs in does not stay in the history, nor is it sent along to anybody.
    history.replaceState(null, '', pathname);
    arrive({ hash, search }).then(
      (arrival) => {
        setWrong(arrival === 'wrong-link');
        if (arrival === 'wrong-link') setFailure(peopleText.welcomeWrong);
        else if (arrival === 'somebody-else') setFailure(peopleText.otherSignedIn);
        else setUser(arrival.user);
      },
      (error: unknown) => setFailure(peopleMessage(error)),
    );
  }, []);

  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="mb-4 text-3xl">{user && hasName(user) ? peopleText.newPasswordTitle : peopleText.welcomeTitle}</h1>
      <Banner message={failure} className="empty:hidden" />
      {isWrong && (
        <p className="mt-6">
          <ButtonLink href={LOGIN}>{recoveryText.signIn}</ButtonLink>
        </p>
      )}
      {!user && !failure && <Spinner label={shellText.loading} />}
      {user && <WelcomeForm user={user} />}
    </div>
  );
}

/** Whoever was invited by mail is called by the address at first. */
const hasName = ({ name, email }: User): boolean => name !== '' && name !== email;

function WelcomeForm({ user }: { user: User }) {
  const initial = { name: hasName(user) ? user.name : '', password: '', confirmPassword: '' };
  const { field, check } = useFields(welcomeSchema, initial, ['password', 'confirmPassword']);
  const [failure, setFailure] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      if (input.name !== user.name) await changeName({ name: input.name });
      await setPassword(user.email, input.password);
      location.assign(HOME);
    } catch (error) {
      setFailure(peopleMessage(error));
      setBusy(false);
    }
  });
  const password = { type: 'password', autoComplete: 'new-password' } as const;
  return (
    <>
      <p className="mb-8 text-base text-soft wrap-anywhere">
        {hasName(user) ? peopleText.newPasswordHelp(user.email) : peopleText.welcomeHelp(user.email)}
      </p>
      <Banner message={failure} className="mb-6 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        {/* Password managers file the password under it. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        {!hasName(user) && <Field label={signupText.name} autoComplete="name" {...field('name')} />}
        <Field label={signupText.password} help={signupText.passwordHelp} {...password} {...field('password')} />
        <Field label={signupText.confirmPassword} {...password} {...field('confirmPassword')} />
        <Button type="submit" busy={busy} className="mt-2 w-full">
          {busy ? peopleText.saving : peopleText.welcomeSave}
        </Button>
      </form>
    </>
  );
}
