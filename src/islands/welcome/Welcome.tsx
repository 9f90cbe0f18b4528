/** The page /welcome, which opens from a one-time link: an invitation or a link created by an owner. */

import { useEffect, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { recoveryText } from '#blog/messages/recovery.ts';
import { signupText } from '#blog/messages/sign-up.ts';
import { shellText } from '#blog/messages.ts';
import { welcomeSchema } from '#blog/people.ts';
import { HOME, LOGIN } from '#blog/routes/paths.ts';
import type { User } from '#blog/user.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { ButtonLink } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { changeName } from '#stores/account/account.ts';
import { type Arrival, arrive, setPassword } from '#stores/people.ts';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { NewPasswordFields, orLogin } from '../sign-in-fields.tsx';
import { PageForm, useForm } from '../use-form.tsx';
import { useReloadOnNewLink } from '../use-window-event.ts';

const SecondFactorForm = lazyPart(() => import('../login/SecondFactorForm.tsx'), 'SecondFactorForm');

export default function Welcome() {
  const [arrival, setArrival] = useState<Arrival>();
  const [fault, setFault] = useState('');
  const [isRenewed, setRenewed] = useState(false);
  useReloadOnNewLink();
  useEffect(() => {
    const { hash, search, pathname } = location;
    setRenewed(new URLSearchParams(search).has('renewed'));
    // Removes the secret link from the history and from referrers.
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
        <SecondFactorForm
          fallback={loading}
          onSignedIn={(signedIn) => setArrival({ user: signedIn, wasSignedIn: false })}
          onGiveUp={() => location.assign(LOGIN)}
        />
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

/** Returns false if the name is empty or still the email address, as for a user invited by email. */
const hasName = ({ name, email }: User): boolean => name !== '' && name !== email;

function WelcomeForm({ user }: { user: User }) {
  const form = useForm({
    schema: welcomeSchema,
    initial: { name: hasName(user) ? user.name : '', password: '', confirmPassword: '' },
    submit: async ({ name, password }) => {
      if (name !== user.name) await changeName({ name });
      await orLogin(() => setPassword(user.email, password));
      location.assign(HOME);
      return { isLeaving: true };
    },
    message: peopleMessage,
  });
  return (
    <>
      <p className="mb-8 text-base text-soft wrap-anywhere">
        {hasName(user)
          ? peopleText.newPasswordHelp({ email: user.email })
          : peopleText.welcomeHelp({ email: user.email })}
      </p>
      <PageForm form={form} labels={[peopleText.welcomeSave, peopleText.saving]}>
        {/* Password managers store the password under this email address. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        {!hasName(user) && <Field label={signupText.name} autoComplete="name" {...form.field('name')} />}
        <NewPasswordFields field={form.field} labels={[signupText.password, signupText.confirmPassword]} />
      </PageForm>
    </>
  );
}
