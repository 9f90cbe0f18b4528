/** The part of the header that depends on the user (spec 2, "Header navigation"). */

import { useStore } from '@nanostores/react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { shellText } from '#blog/messages.ts';
import { ACCOUNT, ADD_POST, ALL_POSTS, HOME, LOGIN, MANAGE, SIGNUP } from '#blog/routes/paths.ts';
import { Icon } from '#components/icons/Icon.tsx';
import { $auth, followUser, logOut } from '#stores/account/auth.ts';
import { takePasskeyOffer } from '#stores/account/passkey-offer.ts';
import { currentSite } from '#stores/site.ts';
import { lazyPart } from '../lazy/lazy-part.tsx';
import { useSiteRole } from '../use-site-role.ts';
import { useWindowEvent } from '../use-window-event.ts';

const PasskeyOffer = lazyPart(() => import('../passkeys/PasskeyOffer.tsx'), 'PasskeyOffer');

export function SessionNav() {
  const { checked, status, user } = useStore($auth);
  const [isOffered] = useState(() => location.pathname === HOME && takePasskeyOffer());
  useEffect(followUser, []);

  if (checked && status) {
    return (
      <>
        <NavLink href={ALL_POSTS}>{shellText.allPosts}</NavLink>
        <NavLink href={ADD_POST}>{shellText.addPost}</NavLink>
        <AccountEntry userId={user?.id ?? ''} />
        <LogoutButton />
        {isOffered && <PasskeyOffer onFault={() => undefined} />}
      </>
    );
  }
  // In browsers that may have a session, base.css hides `data-guest` links until the session is checked.
  const unseen = checked ? undefined : '';
  return (
    <>
      <NavLink href={LOGIN} data-guest={unseen}>
        {shellText.login}
      </NavLink>
      {!currentSite().membersOnly && (
        <NavLink href={SIGNUP} data-guest={unseen}>
          {shellText.signup}
        </NavLink>
      )}
    </>
  );
}

const entry = (
  <>
    <Icon name="person" className="size-5" />
    <span>{shellText.account}</span>
  </>
);

/** A link to the account page; for owners and editors, a menu that includes the site page. */
function AccountEntry({ userId }: { userId: string }) {
  const role = useSiteRole(userId);
  const menu = useRef<HTMLDetailsElement>(null);
  const closeUnlessIn = (target: EventTarget | null) => {
    if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
  };
  // Closes the menu on a press outside. `onBlur` is not enough: in Safari, its `relatedTarget` is null even if the user
  // clicks a link in the menu.
  useWindowEvent('pointerdown', ({ target }) => closeUnlessIn(target));
  if (role !== 'owner' && role !== 'editor') return <NavLink href={ACCOUNT}>{entry}</NavLink>;
  return (
    <details
      ref={menu}
      className="relative"
      onBlur={({ relatedTarget }) => closeUnlessIn(relatedTarget)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary className="nav-link list-none">{entry}</summary>
      <div className="absolute end-0 z-20 grid w-max rounded-md border border-hairline bg-paper p-1">
        <NavLink href={ACCOUNT}>{shellText.yourAccount}</NavLink>
        <NavLink href={MANAGE}>{shellText.theSite}</NavLink>
      </div>
    </details>
  );
}

function NavLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a className="nav-link" aria-current={location.pathname === rest.href ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}

function LogoutButton() {
  const [busy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const leave = async () => {
    if (busy) return;
    setBusy(true);
    setFailed(false);
    try {
      await logOut();
      location.reload();
    } catch (error) {
      console.error('Logout failed:', error);
      setBusy(false);
      setFailed(true);
    }
  };
  return (
    <>
      <button type="button" className="nav-link" aria-disabled={busy || undefined} onClick={leave}>
        {shellText.logout}
      </button>
      {hasFailed && (
        <p role="alert" className="order-last w-full text-sm">
          {shellText.logoutFailed}
        </p>
      )}
    </>
  );
}
