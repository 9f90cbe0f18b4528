/** /claim#TOKEN makes a user the owner of the site. The server logs this link at start while the site has no owner. */

import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { shellText } from '#blog/messages.ts';
import { MANAGE } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { $auth, followUser } from '#stores/account/auth.ts';
import { claim } from '#stores/people.ts';
import { LoginForm } from '../login/Login.tsx';
import { SignupForm } from '../signup/Signup.tsx';
import { goToStep } from '../site/settings/first-steps.ts';
import { useReloadOnNewLink } from '../use-window-event.ts';
import { useWork } from '../use-work.ts';

export default function Claim() {
  const { checked, user } = useStore($auth, { ssr: 'initial' });
  const [token, setToken] = useState<string>();
  const [hasSubmitted, setSubmitted] = useState(false);
  useReloadOnNewLink();
  useEffect(() => {
    setToken(location.hash.slice(1));
    // Removes the token from the URL and the browser's history.
    history.replaceState(null, '', location.pathname);
    return followUser();
  }, []);

  return (
    <div className="mx-auto w-full max-w-form px-4 py-12 sm:py-20">
      <h1 className="mb-4 text-3xl">{peopleText.claimTitle}</h1>
      {token === '' && <Banner message={peopleText.noToken} />}
      {token !== '' && !user && <Help />}
      {token !== '' && !checked && <Spinner label={shellText.loading} />}
      {token && checked && !user && <AccountFirst onSubmit={() => setSubmitted(true)} />}
      {token && user && <ClaimForm token={token} name={user.name || user.email} isAtOnce={hasSubmitted} />}
    </div>
  );
}

const Help = () => <p className="mb-8 text-base text-soft">{peopleText.claimHelp}</p>;

interface ClaimFormProps {
  readonly token: string;
  readonly name: string;
  /** True if the user signed in with a form on this page. A user who signed in elsewhere must confirm first. */
  readonly isAtOnce: boolean;
}

function ClaimForm({ token, name, isAtOnce }: ClaimFormProps) {
  const { busy, failure, run } = useWork(peopleMessage);
  const become = async () => {
    if (!(await run('claim', () => claim(token)))) return;
    goToStep(0);
    location.assign(MANAGE);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the sign-in.
  useEffect(() => void (isAtOnce && become()), []);
  return (
    <>
      {!failure && <Help />}
      <Banner message={failure} className="mb-6 empty:hidden" />
      <p className="mb-6 text-base wrap-anywhere">{peopleText.claimAs({ name })}</p>
      <Button className="w-full" busy={busy !== ''} onClick={() => void become()}>
        {peopleText.claim}
      </Button>
    </>
  );
}

/** Offers sign-up and login on this page, because leaving the page would lose the token. */
function AccountFirst({ onSubmit }: { readonly onSubmit: () => void }) {
  const [isNew, setNew] = useState(true);
  return (
    <>
      <p className="mb-4 text-base">{peopleText.claimFirst}</p>
      <div className="-mx-2 mb-6 flex flex-wrap">
        {[true, false].map((each) => (
          <button
            key={`${each}`}
            type="button"
            className="nav-link"
            aria-current={each === isNew ? 'true' : undefined}
            onClick={() => setNew(each)}
          >
            {each ? peopleText.newAccount : peopleText.ownAccount}
          </button>
        ))}
      </div>
      <div onSubmitCapture={onSubmit}>{isNew ? <SignupForm /> : <LoginForm />}</div>
    </>
  );
}
