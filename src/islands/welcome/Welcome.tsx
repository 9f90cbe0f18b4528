/** /welcome: where one-time links lead, of an invitation or after a lost password. */

import { lazy, Suspense, useEffect, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { recoveryText } from '#blog/messages/recovery.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { shellText } from '#blog/messages.ts';
import { welcomeSchema } from '#blog/people.ts';
import { HOME, LOGIN } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button, ButtonLink } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { changeName } from '#stores/account/account.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import { type Arrival, arrive, setPassword } from '#stores/people.ts';
import { useFields, useSubmit } from '../form.ts';
import { useReloadOnNewLink } from '../reload-on-new-link.ts';

/** Few have a second factor: it comes when it is asked for. */
const SecondFactorForm = lazy(() => importWithRetry(() => import('../login/SecondFactorForm.tsx')));

export default function Welcome() {
  const [arrival, setArrival] = useState<Arrival>();
  const [fault, setFault] = useState('');
  const [isRenewed, setRenewed] = useState(false);
  useReloadOnNewLink();
  useEffect(() => {
    const { hash, search, pathname } = location;
    setRenewed(new URLSearchParams(search).has('renewed'));
    // A link that signs in does not stay in the history, nor is it sent along to anybody.
    history.replaceState(null, '', pathname);
    arrive({ hash, search }).then(setArrival, (error: unknown) => setFault(peopleMessage(error)));
  }, []);
  const { user, wasSignedIn = false } = typeof arrival === 'object' ? arrival : {};
  const isChoosing = user !== undefined && !wasSignedIn;
  const loading = <Spinner label={shellText.loading} />;

  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="mb-4 text-3xl">
        {isChoosing && hasName(user) ? peopleText.newPasswordTitle : peopleText.welcomeTitle}
      </h1>
      <Banner message={fault || refusal(arrival)} className="empty:hidden" />
      {arrival === 'wrong-link' && (
        <p className="mt-6">
          <ButtonLink href={LOGIN}>{recoveryText.signIn}</ButtonLink>
        </p>
      )}
      {!arrival && !fault && loading}
      {arrival === 'second-factor' && (
        <Suspense fallback={loading}>
          <SecondFactorForm
            onSignedIn={(signedIn) => setArrival({ user: signedIn, wasSignedIn: false })}
            onGiveUp={() => location.assign(LOGIN)}
          />
        </Suspense>
      )}
      {isChoosing && isRenewed && <p className="mb-4 text-base">{peopleText.welcomeRenewed}</p>}
      {isChoosing && <WelcomeForm user={user} />}
      {wasSignedIn && (
        <>
          <p role="status" className="mb-6 text-base">
            {peopleText.accepted}
          </p>
          <ButtonLink href={HOME}>{shellText.home}</ButtonLink>
        </>
      )}
    </div>
  );
}

function refusal(arrival: Arrival | undefined): string {
  if (arrival === 'wrong-link') return peopleText.welcomeWrong;
  return arrival === 'somebody-else' ? peopleText.otherSignedIn : '';
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
      // The password is saved; the session that it opened instead of the link's waits for its second factor.
      if (faultOf(error).type === 'user_more_factors_required') return location.assign(LOGIN);
      setFailure(peopleMessage(error));
      setBusy(false);
    }
  });
  const password = { type: 'password', autoComplete: 'new-password' } as const;
  return (
    <>
      <p className="mb-8 text-base text-soft wrap-anywhere">
        {hasName(user)
          ? peopleText.newPasswordHelp({ email: user.email })
          : peopleText.welcomeHelp({ email: user.email })}
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
